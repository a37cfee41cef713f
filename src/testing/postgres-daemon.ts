import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { createTemplate, execute, grantRights } from './test-database.js';

/** Settings of PostgreSQL: nothing outlives the run, so nothing needs to reach the disk. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off', // its workers would keep the template from being cloned
  io_method: 'sync',
  shared_buffers: '32MB',
  max_connections: '300',
  search_path: 'public, testing, pg_catalog', // finds the functions of the test clock first
};
/** SQL to run before the migrations: a column's default is bound when its table is created. */
const TEST_CLOCK = `
  CREATE SCHEMA testing;
  CREATE TABLE testing.clock AS SELECT interval '0' AS ahead;
  CREATE FUNCTION testing.now() RETURNS timestamptz STABLE
    RETURN pg_catalog.now() + (SELECT ahead FROM testing.clock);
  CREATE FUNCTION testing.clock_timestamp() RETURNS timestamptz VOLATILE
    RETURN pg_catalog.clock_timestamp() + (SELECT ahead FROM testing.clock);
  GRANT USAGE ON SCHEMA testing TO sales_service;
  GRANT SELECT ON testing.clock TO sales_service`;

const RIGHTS = new URL('../../../docs/roles.sql', import.meta.url);
const IDLE_MS = 1000;
const TRY_LOCK = 'SELECT pg_try_advisory_lock(1) AS locked';

/** Runs one PostgreSQL with a migrated template while processes are connected to it. */
async function runDaemon(folder: string): Promise<void> {
  const [postgres, { configWith }, { migrate }] = await Promise.all([
    startEmbeddedPostgres(folder, { settings: SETTINGS }),
    import('../config/config.js'), // these load while PostgreSQL starts
    import('../database/migrate.js'),
  ]);
  try {
    const template = await createTemplate(postgres.url);
    await execute(template, TEST_CLOCK);
    await migrate(configWith({ DATABASE_URL: template }));
    await grantRights(template, RIGHTS);
    await writeFile(join(folder, 'url.new'), postgres.url);
    await rename(join(folder, 'url.new'), join(folder, 'url'));
    await untilUnused(postgres.url);
  } finally {
    // The next daemon may start while this one still removes its cluster.
    const ended = await mkdtemp(join(folder, 'ended-'));
    await rename(join(folder, 'postgres'), ended);
    await postgres.stop();
    await rm(ended, { recursive: true });
  }
}

/** Returns when no process has the shared lock, and none can take it any more. */
async function untilUnused(url: string): Promise<void> {
  const client = new Client(url);
  client.on('error', () => undefined); // PostgreSQL stops while it is open
  await client.connect();
  let isLocked = false;
  while (!isLocked) {
    await delay(IDLE_MS);
    const { rows } = await client.query<{ locked: boolean }>(TRY_LOCK);
    isLocked = rows[0]!.locked;
  }
}

await runDaemon(process.argv[2]!).catch(async (error: unknown) => {
  const { message } = error as Error;
  // Another daemon was faster: its template is ready soon.
  if (message.includes('is in use by the service')) return delay(IDLE_MS);
  process.stderr.write(message);
  process.exit(1);
});
process.exit();
