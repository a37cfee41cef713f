import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { takeLock } from '../embedded-postgres/lock.js';
import { TEST_CLOCK, TEST_SEARCH_PATH } from './test-clock.js';
import { createTemplate, execute, grantRights } from './test-database.js';

/** Settings of PostgreSQL: nothing outlives the run, so nothing needs to reach the disk. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off', // its workers would keep the template from being cloned
  io_method: 'sync',
  shared_buffers: '32MB',
  max_connections: '300',
  search_path: TEST_SEARCH_PATH,
};
const RIGHTS = new URL('../../../docs/roles.sql', import.meta.url);
const DATA = 'data-';
const IDLE_TIMEOUT_MS = 1000;
const POLL_MS = 50;

const CLIENTS = `SELECT count(*)::integer AS count FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;

/** Runs one PostgreSQL with a migrated template while processes are connected to it. */
async function runDaemon(folder: string): Promise<void> {
  const lock = await takeLock(folder);
  if (!('release' in lock)) return; // another daemon is running
  for (const name of await readdir(folder)) if (name.startsWith(DATA)) await remove(folder, name);
  const dataDir = await mkdtemp(join(folder, DATA));
  const [postgres, { configWith }, { migrate }] = await Promise.all([
    startEmbeddedPostgres(dataDir, { settings: SETTINGS }),
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
    await postgres.stop();
    await remove(dataDir);
    await lock.release();
  }
}

/** Returns once nobody is connected, and nobody can connect any more. */
async function untilUnused(url: string): Promise<void> {
  const client = new Client(Object.assign(new URL(url), { pathname: '/postgres' }).href);
  await client.connect();
  const isUsed = async () => (await client.query<{ count: number }>(CLIENTS)).rows[0]!.count > 0;
  const allowConnections = (allowed: boolean) =>
    client.query(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} ALLOW_CONNECTIONS ${String(allowed)}`,
    );
  for (;;) {
    let usedAt = Date.now();
    while (Date.now() - usedAt < IDLE_TIMEOUT_MS) {
      await delay(POLL_MS);
      if (await isUsed()) usedAt = Date.now();
    }
    await allowConnections(false);
    if (!(await isUsed())) break;
    await allowConnections(true);
  }
  await client.end();
}

async function remove(...path: string[]): Promise<void> {
  await rm(join(...path), { recursive: true, force: true, maxRetries: 8, retryDelay: 50 }).catch(
    () => undefined,
  );
}

await runDaemon(process.argv[2]!).catch((error: unknown) => {
  process.stderr.write((error as Error).message);
  process.exit(1);
});
process.exit();
