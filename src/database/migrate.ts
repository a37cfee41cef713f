import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import type { DatabaseConfig } from '../config/database.config.js';
import { dataSourceOptions } from './connections.js';

const ADVISORY_LOCK = 4_867_022_411;
const INSUFFICIENT_PRIVILEGE = '42501';

const FIND_TABLES = `
  SELECT oid::integer, oid::regclass::text AS name FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`;

export class MigrationRejected extends Error {}

/** Runs all pending migrations, or none if one fails; returns their names. */
export async function migrate(config: DatabaseConfig): Promise<string[]> {
  return inMigrationLock(config, async (executor) =>
    (await executor.executePendingMigrations()).map(({ name }) => name),
  );
}

/** Reverts the latest migration unless that would drop rows; returns its name, if any migration has run. */
export async function revertMigration(
  config: DatabaseConfig,
  force = false,
): Promise<string | undefined> {
  return inMigrationLock(config, async (executor, runner) => {
    const [latest] = await executor.getExecutedMigrations();
    if (!latest) return undefined;
    const filled = force ? [] : await lockFilledTables(runner);
    await executor.undoLastMigration();
    const left = new Set((await findTables(runner)).map(({ oid }) => oid));
    const dropped = filled.filter(({ oid }) => !left.has(oid)).map(({ name }) => name);
    const drops = `${latest.name} would drop ${dropped.join(', ')} with the rows in it`;
    if (dropped.length > 0)
      throw new MigrationRejected(`${drops}: dump the database, then give --force`);
    return latest.name;
  });
}

interface TableName {
  readonly oid: number;
  readonly name: string;
}

function findTables(runner: QueryRunner): Promise<TableName[]> {
  return runner.query(FIND_TABLES) as Promise<TableName[]>;
}

/** Finds the tables that hold rows; none gets its first row before the transaction ends. */
async function lockFilledTables(runner: QueryRunner): Promise<TableName[]> {
  const filled: TableName[] = [];
  for (const table of await findTables(runner)) {
    await runner.query(`LOCK TABLE ${table.name} IN SHARE MODE`);
    const rows = (await runner.query(`SELECT FROM ${table.name} LIMIT 1`)) as unknown[];
    if (rows.length > 0) filled.push(table);
  }
  return filled;
}

/** Works in one transaction, one instance at a time. The lock is the transaction's: PgBouncer keeps none of a session. */
async function inMigrationLock<Result>(
  config: DatabaseConfig,
  work: (executor: MigrationExecutor, runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const dataSource = await new DataSource(
    dataSourceOptions(config, { max: 2, query_timeout: 0 }),
  ).initialize();
  try {
    return await dataSource.transaction(async (manager) => {
      const runner = manager.queryRunner!;
      await runner.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
      await runner.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
      return work(new MigrationExecutor(dataSource, runner), runner);
    });
  } catch (error) {
    if (!isMissingRight(error)) throw error;
    const message = `${error.message}: migrations need the role that owns the tables`;
    throw new MigrationRejected(message, { cause: error });
  } finally {
    await dataSource.destroy();
  }
}

function isMissingRight(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE;
}
