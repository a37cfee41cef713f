import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
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
const IDLE_POLLS = 20;
const POLL_MS = 50;
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
    await rename(join(folder, 'postgres'), await mkdtemp(join(folder, 'ended-')));
    await postgres.stop();
    for (const name of (await readdir(folder)).filter((each) => each.startsWith('ended-')))
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Returns once no process has held the shared lock for a second, and none can take it any more. */
async function untilUnused(url: string): Promise<void> {
  const client = new Client(url);
  client.on('error', () => undefined); // it is open when PostgreSQL stops
  await client.connect();
  for (let idlePolls = 0; idlePolls < IDLE_POLLS;) {
    await client.query('SELECT pg_advisory_unlock_all()');
    await delay(POLL_MS);
    const { rows } = await client.query<{ locked: boolean }>(TRY_LOCK);
    idlePolls = rows[0]!.locked ? idlePolls + 1 : 0;
  }
}

await runDaemon(process.argv[2]!).catch((error: unknown) => {
  const { message } = error as Error;
  if (message.includes('is in use by the service')) process.exit(); // another daemon was faster
  process.stderr.write(message);
  process.exit(1);
});
process.exit();
