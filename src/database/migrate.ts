import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type EntityManager, MigrationExecutor } from 'typeorm';
import type { DatabaseConfig } from '../config/database.config.js';
import { dataSourceOptions } from './connections.js';
import { DatabaseTimeout } from './timed-pool.js';

const ADVISORY_LOCK = 4_867_022_411;
const POLL_MS = 500;

/** Uploads queue behind a migration that waits for a table: it lets them pass in between. */
const LOCK_TIMEOUT_MS = 1000;
const RETRY_DELAY_MS = 2000;
const MAX_TRIES = 200;

/** Finds the migrations of this release that have not run. */
export async function findMissingMigrations(dataSource: DataSource): Promise<string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  return pending.map(({ name }) => name);
}

/** Finds the missing migrations without an application. */
export function missingMigrations(config: DatabaseConfig): Promise<string[]> {
  return withDataSource(config, findMissingMigrations);
}

/** Waits until the database can be reached; returns the missing migrations. */
export async function waitForDatabase(
  config: DatabaseConfig,
  onWait: (reason: string) => void,
): Promise<string[]> {
  const deadline = Date.now() + config.DATABASE_WAIT_SECONDS * 1000;
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return await missingMigrations(config);
    } catch (error) {
      if (Date.now() >= deadline) throw error;
      if (!hasWaited) onWait((error as Error).message);
      await delay(POLL_MS);
    }
  }
}

/** Runs all pending migrations, or none if one fails; returns their names. */
export function migrate(config: DatabaseConfig, onRetry?: () => void): Promise<string[]> {
  const runPending = async (executor: MigrationExecutor) => {
    const run = await executor.executePendingMigrations();
    return run.map(({ name }) => name);
  };
  return inMigrationLock(config, runPending, onRetry);
}

/** Drops what the latest migration made, with its rows; returns its name, if there is one. */
export function revertMigration(config: DatabaseConfig): Promise<string | undefined> {
  return inMigrationLock(config, async (executor) => {
    const [latest] = await executor.getExecutedMigrations();
    if (latest) await executor.undoLastMigration();
    return latest?.name;
  });
}

/**
 * Works in a transaction, which holds the lock: PgBouncer would not keep that of a session. Where
 * a reader or another instance holds a lock for longer than a second, it begins anew.
 */
function inMigrationLock<Result>(
  config: DatabaseConfig,
  work: (executor: MigrationExecutor) => Promise<Result>,
  onRetry?: () => void,
): Promise<Result> {
  const workAlone = async (manager: EntityManager) => {
    await manager.query(
      `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`,
    );
    await manager.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
    return work(new MigrationExecutor(manager.dataSource, manager.queryRunner));
  };
  const workPatiently = async (dataSource: DataSource) => {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      try {
        return await dataSource.transaction(workAlone);
      } catch (error) {
        if (!(error instanceof DatabaseTimeout)) throw error;
      }
      onRetry?.();
      await delay(RETRY_DELAY_MS);
    }
    throw new Error('for ten minutes the tables were in use: end long exports and backups');
  };
  return withDataSource(config, workPatiently, { query_timeout: 0 });
}

async function withDataSource<Result>(
  config: DatabaseConfig,
  work: (dataSource: DataSource) => Promise<Result>,
  changes?: { readonly query_timeout: number },
): Promise<Result> {
  const dataSource = new DataSource(dataSourceOptions(config, changes));
  await dataSource.initialize().catch((error: unknown) => {
    const { message, code } = error as NodeJS.ErrnoException;
    // The AggregateError of a host with several addresses has no message.
    throw new Error(`the database cannot be reached: ${message || code}`);
  });
  return work(dataSource).finally(() => dataSource.destroy());
}
