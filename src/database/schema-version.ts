import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { migrations } from '../../migrations/index.js';
import type { DatabaseConfig } from '../config/database.config.js';
import { databaseLimits, openConnection } from './connections.js';
import type { Statement } from './statement.js';

const POLL_MS = 500;

/** PostgreSQL is starting up or has no connection left, or PgBouncer cannot connect to it. */
const TRANSIENT_CODES = ['57P03', '53300', '08P01'];

const IS_MIGRATED = {
  name: 'is_migrated',
  text: "SELECT WHERE to_regclass('migrations') IS NOT NULL",
};
const FIND_RUN_MIGRATIONS = { name: 'find_run_migrations', text: 'SELECT name FROM migrations' };

class DatabaseUnreachable extends Error {
  constructor(override readonly cause: unknown) {
    const errors: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]; // one for each address
    const reasons = errors.map((error) => (error as Error).message).join(', ');
    super(`the database cannot be reached: ${reasons}`);
  }
}

/** Whether the database may be reachable later, unlike one with another password. */
function isTransient(error: unknown): boolean {
  return !(error instanceof DatabaseError) || TRANSIENT_CODES.includes(error.code ?? '');
}

/** Finds the missing migrations without an application. */
export async function missingMigrations(config: DatabaseConfig): Promise<string[]> {
  const { read } = databaseLimits(config);
  const client = await openConnection(config, 'sales-upload', read).catch((error: unknown) => {
    throw new DatabaseUnreachable(error);
  });
  try {
    return await findMissingMigrations(
      async ({ text }) => (await client.query<{ name: string }>(text)).rows,
    );
  } catch (error) {
    throw isTransient(error) ? new DatabaseUnreachable(error) : error;
  } finally {
    await client.end();
  }
}

/** Finds migrations of this release that have not run. PostgreSQL would log an error for a table that is missing. */
export async function findMissingMigrations(
  run: (statement: Statement) => Promise<{ name: string }[]>,
): Promise<string[]> {
  const isMigrated = (await run(IS_MIGRATED)).length > 0;
  const ran = new Set(isMigrated ? (await run(FIND_RUN_MIGRATIONS)).map(({ name }) => name) : []);
  return migrations.map(({ name }) => name).filter((name) => !ran.has(name));
}

/** Returns the missing migrations once the database can be reached. */
export async function waitForDatabase(
  config: DatabaseConfig,
  onWait: (reason: string) => void,
): Promise<string[]> {
  const deadline = Date.now() + config.DATABASE_WAIT_SECONDS * 1000;
  for (let reported = false; ; reported = true) {
    try {
      return await missingMigrations(config);
    } catch (error) {
      const mayCome = error instanceof DatabaseUnreachable && isTransient(error.cause);
      if (!mayCome || Date.now() >= deadline) throw error;
      if (!reported) onWait(error.message);
      await delay(POLL_MS);
    }
  }
}
