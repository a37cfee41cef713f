import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { createTemplate, execute } from './test-database.js';

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

/** Starts PostgreSQL in the working folder, with a migrated template. */
async function startPostgres() {
  const [postgres, { configWith }, { migrate }] = await Promise.all([
    openEmbeddedPostgres('.', { settings: SETTINGS }),
    import('../config/config.js'), // these load while PostgreSQL starts
    import('../database/migrate.js'),
  ]);
  const template = await createTemplate(postgres.url);
  await execute(template, TEST_CLOCK);
  await migrate(configWith({ DATABASE_URL: template }));
  await execute(template, await readFile(RIGHTS, 'utf8'));
  return postgres;
}

/** Tells the URL to each process that connects; one daemon at a time has the socket. */
const server = createServer((client) => {
  client.on('error', () => undefined);
  void ready.then(({ url }) => client.write(url));
}).listen('socket');
const ready = once(server, 'listening').then(startPostgres);

try {
  const postgres = await ready;
  process.send!('ready');
  const countClients = promisify(server.getConnections.bind(server));
  do await delay(IDLE_MS);
  while ((await countClients()) > 0);
  // A process that connects now is disconnected at the end, and starts the next daemon.
  server.removeAllListeners('connection');
  await postgres.stop();
  await rm('postgres', { recursive: true });
  server.close();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  process.send!(code === 'EADDRINUSE' ? 'ready' : message);
}
process.exit();
