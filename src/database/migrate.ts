import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import type { AppConfig } from '../config/app-config.js';
import { connectionOptions } from './connection-options.js';

/** Any number will do, so long as it is always this one: whoever migrates holds the lock of this name. */
const MIGRATION_LOCK = 4_867_022_411;

/** Runs the pending migrations, all or none, and tells their names. Instances that start together take turns. */
export async function migrate(config: AppConfig): Promise<string[]> {
  return withMigrations(config, async (executor) =>
    (await executor.executePendingMigrations()).map(({ name }) => name),
  );
}

/** Takes the latest migration back and tells its name; undefined where none has run. */
export async function revertMigration(config: AppConfig): Promise<string | undefined> {
  return withMigrations(config, async (executor) => {
    const [latest] = await executor.getExecutedMigrations();
    if (latest) await executor.undoLastMigration();
    return latest?.name;
  });
}

/**
 * One transaction around everything, with a lock that ends with it: TypeORM itself has none, and a lock of the session
 * would outlive its owner behind PgBouncer.
 */
async function withMigrations<Result>(
  config: AppConfig,
  work: (executor: MigrationExecutor) => Promise<Result>,
): Promise<Result> {
  const options = connectionOptions(config);
  const dataSource = await new DataSource({
    ...options,
    extra: { ...(options.extra as object), max: 2, query_timeout: 0 },
  }).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await lock(runner);
    const result = await work(new MigrationExecutor(dataSource, runner));
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined); // the connection may be what failed
    throw error;
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

async function lock(runner: QueryRunner): Promise<void> {
  await runner.startTransaction();
  await runner.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
  await runner.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
}
