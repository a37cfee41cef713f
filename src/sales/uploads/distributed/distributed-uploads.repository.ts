import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { Batcher, SERIALIZATION_FAILURE } from '../../../database/batcher.js';
import type { Database } from '../../../database/database.js';
import { dayOf, type SavedUpload, type Upload, type UploadChecks } from '../upload.js';
import { UploadsRepository } from '../uploads.repository.js';
import { CHECKED_UPLOADS, saveUploadsText, SENT_UPLOADS, valuesOf } from '../uploads.statements.js';

const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 20;

/** Finds the function of citus.sql, which is run where the tables are distributed. */
const IS_DISTRIBUTED = {
  name: 'is_distributed',
  text: "SELECT to_regprocedure('save_on_shard(integer, text, json, json[])') AS function",
};

/** Runs on the coordinator, which knows whether an upload may be saved and where its shard is. */
const CHECK_UPLOADS = {
  name: 'check_uploads',
  text: `
WITH ${CHECKED_UPLOADS}
SELECT live, name, closed, granted, shardid::text AS shard, groupid AS node
FROM upload
JOIN pg_dist_placement
  ON shardid = get_shard_id_for_distribution_column('sales_days', restaurant_id)
ORDER BY position`,
};

/** `save_on_shard` puts the tables of the shard in place of the marks. */
const SAVE_ACCEPTED = saveUploadsText(`upload AS MATERIALIZED (
  SELECT sent.*, ($2::json[])[position] AS records, true AS live, NULL AS name, false AS closed,
    true AS granted
  FROM ${SENT_UPLOADS}
)`);

/** Citus runs the function on the node of the first parameter's shard. */
const SAVE_ON_SHARD = {
  name: 'save_on_shard',
  text: 'SELECT * FROM save_on_shard($1, $2, $3, $4)',
};

type PlacedUpload = Upload & { readonly shard: string };
type PlacedChecks = UploadChecks & { readonly shard: string; readonly node: number };

/** Checks uploads on a Citus coordinator and saves them on its workers; see docs/scaling.md. */
class DistributedUploadsRepository extends UploadsRepository {
  private readonly nodes = new Map<number, Batcher<PlacedUpload, SavedUpload>>();
  private readonly checks = new Batcher<Upload, PlacedChecks>(
    (uploads) => this.database.run<PlacedChecks>(CHECK_UPLOADS, [valuesOf(uploads)[0], []]),
    { lanes: 2, maxBatchSize: 64, maxWaitMs: this.database.limits.queue, keyOf: dayOf },
  );

  /** Saves an upload; tries again if its shard was moved meanwhile. */
  override async save(upload: Upload, retries = MAX_RETRIES): Promise<SavedUpload> {
    const { shard, node, ...checks } = await this.checks.add(upload);
    if (!checks.live || !checks.granted || checks.closed) return { ...checks, replacedHours: null };
    try {
      return { ...(await this.batcherOf(node).add({ ...upload, shard })), name: checks.name };
    } catch (error) {
      const wasMoved = error instanceof DatabaseError && error.code === SERIALIZATION_FAILURE;
      if (!wasMoved || retries === 0) throw error;
    }
    await delay(RETRY_DELAY_MS);
    return this.save(upload, retries - 1);
  }

  /** Each node has its own batcher, so that a frozen one holds only some of the connections. */
  private batcherOf(node: number): Batcher<PlacedUpload, SavedUpload> {
    const batcher =
      this.nodes.get(node) ??
      new Batcher<PlacedUpload, SavedUpload>((uploads) => this.saveOnShard(uploads), {
        lanes: 4,
        maxBatchSize: 16,
        maxWaitMs: this.database.limits.queue,
        keyOf: dayOf,
        groupOf: ({ shard }) => shard,
      });
    this.nodes.set(node, batcher);
    return batcher;
  }

  private saveOnShard(uploads: Upload[]): Promise<SavedUpload[]> {
    const values = [uploads[0]!.restaurantId, SAVE_ACCEPTED, ...valuesOf(uploads)];
    return this.database.run<SavedUpload>(SAVE_ON_SHARD, values);
  }
}

/** Makes the repository for the database, whose tables may be distributed. */
export async function createUploadsRepository(database: Database): Promise<UploadsRepository> {
  const [row] = await database.run<{ function: string | null }>(IS_DISTRIBUTED, []);
  return row!.function === null
    ? new UploadsRepository(database)
    : new DistributedUploadsRepository(database);
}
