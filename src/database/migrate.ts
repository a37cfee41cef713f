import { DataSource, MigrationExecutor, QueryFailedError, type QueryRunner } from 'typeorm';
import type { AppConfig } from '../config/app-config.js';
import { dataSourceOptions } from './connections.js';

/** Any number, but always the same one: the key of the advisory lock under which migrations run. */
const MIGRATION_LOCK = 4_867_022_411;

const INSUFFICIENT_PRIVILEGE = '42501';

const FIND_TABLES = `
  SELECT oid::integer, oid::regclass::text AS name FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`;

/** The migrations may not be run or reverted; the message says why and what to do. */
export class MigrationRejected extends Error {}

/** Runs the pending migrations, all or none, and returns their names. */
export async function migrate(config: AppConfig): Promise<string[]> {
  return withMigrations(config, async (executor) =>
    (await executor.executePendingMigrations()).map(({ name }) => name),
  );
}

/**
 * Reverts the latest migration and returns its name; undefined where none has run. Throws `MigrationRejected`, unless forced, where that
 * would drop tables that hold rows.
 * What a migration drops is found by reverting it twice: once to see which tables disappear, and again once those are
 * locked and known to be empty.
 */
export async function revertMigration(config: AppConfig, force = false): Promise<string | undefined> {
  return withMigrations(config, async (executor, runner) => {
    const [latest] = await executor.getExecutedMigrations();
    if (!latest) return undefined;
    if (!force) {
      const filled = await filledTablesDroppedBy(() => executor.undoLastMigration(), runner);
      const drops = `${latest.name} would drop ${filled.join(', ')} with the rows in it`;
      if (filled.length > 0) throw new MigrationRejected(`${drops}: dump the database, then give --force`);
    }
    await executor.undoLastMigration();
    return latest.name;
  });
}

async function filledTablesDroppedBy(revert: () => Promise<void>, runner: QueryRunner): Promise<string[]> {
  const tables = (): Promise<{ oid: number; name: string }[]> => runner.query(FIND_TABLES);
  const before = await tables();
  await runner.startTransaction();
  await revert();
  const left = new Set((await tables()).map(({ oid }) => oid));
  await runner.rollbackTransaction();
  const filled: string[] = [];
  for (const { name } of before.filter(({ oid }) => !left.has(oid))) {
    await runner.query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
    const rows = (await runner.query(`SELECT FROM ${name} LIMIT 1`)) as unknown[];
    if (rows.length > 0) filled.push(name);
  }
  return filled;
}

/**
 * Does all work in one transaction, under a lock that ends with it, so that instances that start together take turns.
 * TypeORM has no lock, and one of the session would outlive its owner behind PgBouncer.
 */
async function withMigrations<Result>(
  config: AppConfig,
  work: (executor: MigrationExecutor, runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const dataSource = await new DataSource(dataSourceOptions(config, { max: 2, query_timeout: 0 })).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
    await runner.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    const result = await work(new MigrationExecutor(dataSource, runner), runner);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined); // the connection may be what failed
    if (error instanceof QueryFailedError && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE)
      throw new MigrationRejected(`${error.message}: migrations need the role that owns the tables`, { cause: error });
    throw error;
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}
