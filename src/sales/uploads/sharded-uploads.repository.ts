import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { TokensService } from '../../auth/tokens/tokens.service.js';
import { Batcher } from '../../database/batcher.js';
import { Database } from '../../database/database.js';
import { SAVE_UPLOADS } from './save-uploads.statement.js';
import { dayOf, outcomesOf, valuesOf, type SavedRow, type Upload, type UploadOutcome } from './upload.js';

const SERIALIZATION_FAILURE = '40001';
const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 20;
const MAX_KNOWN_SHARDS = 1_000_000;

/** A node is known by the number of its group. */
const FIND_SHARD = {
  name: 'find_shard',
  text: `
    SELECT shardid::text AS id, groupid AS node FROM pg_dist_placement
    WHERE shardid = get_shard_id_for_distribution_column('sales_days', $1::integer)`,
};

const VERSION = createHash('sha256').update(SAVE_UPLOADS.text).digest('hex').slice(0, 8);

/** A function of docs/citus.sql; each version of the statement has its own, so that releases can run side by side. */
export const SHARD_FUNCTION = `save_uploads_${VERSION}`;

/** Runs on the node of the first parameter's shard. */
const SAVE_ON_SHARD = { name: 'save_on_shard', text: `SELECT * FROM ${SHARD_FUNCTION}($1, $2, $3)` };

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
  /** As performance.now() */
  readonly startBy: number;
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
    const startBy = performance.now() + this.database.startLimitMs;
    if (!(await this.tokens.isLive(upload))) return REVOKED;
    for (let retries = MAX_RETRIES; ; retries--) {
      const { id: shard, node } = await this.shardOf(upload.restaurantId);
      try {
        return await this.writesOf(node).add({ upload, shard, startBy });
      } catch (error) {
        this.shards.clear(); // shards may have been moved
        const wasMoved = error instanceof DatabaseError && error.code === SERIALIZATION_FAILURE;
        if (!wasMoved || retries === 0 || performance.now() > startBy) throw error;
        await delay(RETRY_DELAY_MS);
      }
    }
  }

  private async shardOf(restaurantId: number): Promise<Shard> {
    const known = this.shards.get(restaurantId);
    if (known) return known;
    const [shard] = await this.database.run<{ id: string; node: number }>(FIND_SHARD, [restaurantId]);
    if (this.shards.size >= MAX_KNOWN_SHARDS) this.shards.clear();
    this.shards.set(restaurantId, shard!);
    return shard!;
  }

  private writesOf(node: number): Batcher<PlacedUpload, UploadOutcome> {
    let writes = this.writes.get(node);
    if (!writes) {
      const maxConcurrency = this.database.connectionsPerNode;
      const limits = { name: `uploads_node_${node}`, maxConcurrency, maxBatchSize: 16 };
      const rules = {
        keyOf: ({ upload }: PlacedUpload) => dayOf(upload),
        groupOf: ({ shard }: PlacedUpload) => shard,
        isTooLate: ({ startBy }: PlacedUpload) => performance.now() > startBy,
      };
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
