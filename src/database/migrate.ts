import { DataSource, MigrationExecutor, QueryFailedError, type QueryRunner } from 'typeorm';
import type { AppConfig } from '../config/app-config.js';
import { dataSourceOptions } from './connections.js';

const ADVISORY_LOCK = 4_867_022_411;
const INSUFFICIENT_PRIVILEGE = '42501';

const FIND_TABLES = `
  SELECT oid::integer, oid::regclass::text AS name FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`;

export class MigrationRejected extends Error {}

/** All or none. */
export async function migrate(config: AppConfig): Promise<string[]> {
  return withMigrations(config, async (executor) =>
    (await executor.executePendingMigrations()).map(({ name }) => name),
  );
}

/** Reverts the latest migration unless that would drop rows. */
export async function revertMigration(config: AppConfig, force = false): Promise<string | undefined> {
  return withMigrations(config, async (executor, runner) => {
    const [latest] = await executor.getExecutedMigrations();
    if (!latest) return undefined;
    const revert = (): Promise<void> => executor.undoLastMigration();
    const filled = force ? [] : await filledTablesDroppedBy(revert, runner);
    const drops = `${latest.name} would drop ${filled.join(', ')} with the rows in it`;
    if (filled.length > 0) throw new MigrationRejected(`${drops}: dump the database, then give --force`);
    await revert();
    return latest.name;
  });
}

/** Reverts in a savepoint to see which tables disappear. */
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

/** A transaction's lock: PgBouncer keeps no session locks. */
async function withMigrations<Result>(
  config: AppConfig,
  work: (executor: MigrationExecutor, runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const dataSource = await new DataSource(dataSourceOptions(config, { max: 2, query_timeout: 0 })).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
    await runner.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
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
