import { setTimeout as delay } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { DataSource, MigrationExecutor } from 'typeorm';
import type { DatabaseConfig } from '../config/database.config.js';
import { dataSourceOptions } from './connections.js';

const ADVISORY_LOCK = 4_867_022_411;
const POLL_MS = 500;

const INSUFFICIENT_PRIVILEGE = '42501';

export class MigrationRejected extends Error {}

class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    // An AggregateError has an error for each address.
    const errors: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
    const reasons = errors.map((error) => (error as Error).message).join(', ');
    super(`the database cannot be reached: ${reasons}`);
  }
}

/** Finds the migrations of this release that have not run. */
export async function findMissingMigrations(dataSource: DataSource): Promise<string[]> {
  return namesOf(await new MigrationExecutor(dataSource).getPendingMigrations());
}

/** Finds the missing migrations without an application. */
export function missingMigrations(config: DatabaseConfig): Promise<string[]> {
  return withDataSource(config, {}, findMissingMigrations);
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
      if (!(error instanceof DatabaseUnreachable) || Date.now() >= deadline) throw error;
      if (!hasWaited) onWait(error.message);
      await delay(POLL_MS);
    }
  }
}

/** Runs all pending migrations, or none if one fails; returns their names. */
export function migrate(config: DatabaseConfig): Promise<string[]> {
  return inMigrationLock(config, async (executor) =>
    namesOf(await executor.executePendingMigrations()),
  );
}

/** Drops what the latest migration made, with its rows; returns its name, if there is one. */
export function revertMigration(config: DatabaseConfig): Promise<string | undefined> {
  return inMigrationLock(config, async (executor) => {
    const [latest] = await executor.getExecutedMigrations();
    if (latest) await executor.undoLastMigration();
    return latest?.name;
  });
}

/** Works in a transaction, one instance at a time. PgBouncer would not keep a session's lock. */
function inMigrationLock<Result>(
  config: DatabaseConfig,
  work: (executor: MigrationExecutor) => Promise<Result>,
): Promise<Result> {
  return withDataSource(config, { query_timeout: 0 }, async (dataSource) => {
    const locked = dataSource.transaction(async ({ queryRunner: runner }) => {
      await runner!.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
      await runner!.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
      return work(new MigrationExecutor(dataSource, runner));
    });
    return locked.catch((error: unknown) => {
      if (!isMissingRight(error)) throw error;
      throw new MigrationRejected(
        `${error.message}: migrations need the role that owns the tables`,
      );
    });
  });
}

async function withDataSource<Result>(
  config: DatabaseConfig,
  changes: PoolConfig,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const dataSource = new DataSource(dataSourceOptions(config, changes));
  await dataSource.initialize().catch((error: unknown) => {
    throw new DatabaseUnreachable(error);
  });
  return work(dataSource).finally(() => dataSource.destroy());
}

function isMissingRight(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE;
}

function namesOf(named: readonly { readonly name: string }[]): string[] {
  return named.map(({ name }) => name);
}
