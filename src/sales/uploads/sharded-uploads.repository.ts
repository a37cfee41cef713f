import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { TokensService } from '../../auth/tokens/tokens.service.js';
import { Batcher } from '../../database/batcher.js';
import { Database } from '../../database/database.js';
import { dayOf, outcomesOf, valuesOf, type SavedRow, type Upload, type UploadOutcome } from './upload.js';

const SERIALIZATION_FAILURE = '40001';
const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 20;

/** A node is known by the number of its group. */
const FIND_SHARD = {
  name: 'find_shard',
  text: `
    SELECT shardid::text AS id, groupid AS node FROM pg_dist_placement
    WHERE shardid = get_shard_id_for_distribution_column('sales_days', $1::integer)`,
};

/** A function of docs/citus.sql, run on the node of the first parameter's shard. */
const SAVE_ON_SHARD = { name: 'save_on_shard', text: 'SELECT * FROM save_uploads($1, $2, $3)' };

const REVOKED: UploadOutcome = {
  live: false,
  name: null,
  closed: null,
  archived: null,
  granted: null,
  number: null,
  overwrittenHours: 0,
};

interface Shard {
  readonly id: string;
  readonly node: number;
}

interface PlacedUpload {
  readonly upload: Upload;
  readonly shard: string;
}

/** Saves uploads on Citus; see docs/scaling.md#how-an-upload-is-saved */
@Injectable()
export class ShardedUploadsRepository {
  private readonly shards = new Map<number, Shard>();
  private readonly writes = new Map<number, Batcher<PlacedUpload, UploadOutcome>>();

  constructor(
    private readonly database: Database,
    private readonly tokens: TokensService,
  ) {}

  /** The nodes have no tokens: they are checked before. */
  async save(upload: Upload): Promise<UploadOutcome> {
    if (!(await this.tokens.isLive(upload))) return REVOKED;
    for (let retries = MAX_RETRIES; ; retries--) {
      const { id: shard, node } = await this.shardOf(upload.restaurantId);
      try {
        return await this.writesOf(node).add({ upload, shard });
      } catch (error) {
        this.shards.clear(); // shards may have been moved
        const wasMoved = error instanceof DatabaseError && error.code === SERIALIZATION_FAILURE;
        if (!wasMoved || retries === 0) throw error;
        await delay(RETRY_DELAY_MS);
      }
    }
  }

  private async shardOf(restaurantId: number): Promise<Shard> {
    const known = this.shards.get(restaurantId);
    if (known) return known;
    const [shard] = await this.database.run<{ id: string; node: number }>(FIND_SHARD, [restaurantId]);
    this.shards.set(restaurantId, shard!);
    return shard!;
  }

  private writesOf(node: number): Batcher<PlacedUpload, UploadOutcome> {
    let writes = this.writes.get(node);
    if (!writes) {
      const maxConcurrency = this.database.connectionsPerNode;
      const limits = { name: `uploads_node_${node}`, maxConcurrency, maxBatchSize: 16 };
      const rules = { keyOf: ({ upload }: PlacedUpload) => dayOf(upload), groupOf: ({ shard }: PlacedUpload) => shard };
      writes = new Batcher((placed) => this.saveAll(placed.map(({ upload }) => upload)), limits, rules);
      this.writes.set(node, writes);
    }
    return writes;
  }

  private async saveAll(uploads: Upload[]): Promise<UploadOutcome[]> {
    const values = [uploads[0]!.restaurantId, ...valuesOf(uploads)];
    return outcomesOf(await this.database.runOnShard<SavedRow>(SAVE_ON_SHARD, values));
  }
}
