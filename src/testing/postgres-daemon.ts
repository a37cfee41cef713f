import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { takeLock } from '../embedded-postgres/lock.js';
import { TEST_CLOCK, TEST_SEARCH_PATH } from './test-clock.js';

/** What a client of the socket receives once. */
export interface DaemonMessage {
  readonly url?: string;
  readonly error?: string;
}

/** Nothing outlives the run, so nothing needs to reach the disk. */
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
const DATA = 'data-';
const IDLE_TIMEOUT_MS = 1000;
const POLL_MS = 50;

/** Runs one PostgreSQL with a migrated template while processes are connected to the socket. */
async function runDaemon(folder: string): Promise<void> {
  const lock = await takeLock(folder);
  if (!('release' in lock)) return; // another daemon is running
  for (const name of await readdir(folder)) if (name.startsWith(DATA)) await remove(folder, name);
  const dataDir = await mkdtemp(join(folder, DATA));
  const starting = startPostgres(dataDir);
  const message = starting.then(
    ({ url }): DaemonMessage => ({ url }),
    (error: unknown): DaemonMessage => ({ error: String(error) }),
  );
  const clients = new Set<Socket>();
  const server = createServer((socket) => {
    if (!server.listening)
      socket.destroy(); // accepted while closing
    else accept(socket, clients, message);
  });
  await rm(join(folder, 'socket'), { force: true });
  server.listen(join(folder, 'socket'));
  await message;
  await untilUnused(clients);
  server.close();
  await starting.then((postgres) => postgres.stop()).catch(() => undefined);
  await remove(dataDir);
  await lock.release();
}

async function startPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const [postgres, { AppConfig }, { migrate }] = await Promise.all([
    startEmbeddedPostgres(dataDir, { settings: SETTINGS }),
    import('../config/app-config.js'), // loaded while PostgreSQL starts
    import('../database/migrate.js'),
  ]);
  const client = new Client(postgres.url);
  await client.connect();
  await client.query(TEST_CLOCK).finally(() => client.end());
  await migrate(Object.assign(new AppConfig(), { DATABASE_URL: postgres.url }));
  return postgres;
}

function accept(socket: Socket, clients: Set<Socket>, message: Promise<DaemonMessage>): void {
  clients.add(socket.on('error', () => undefined).resume());
  socket.once('close', () => clients.delete(socket));
  void message.then((content) => socket.write(`${JSON.stringify(content)}\n`));
}

/** Returns without a pause after the last check: no client is accepted in between. */
async function untilUnused(clients: ReadonlySet<Socket>): Promise<void> {
  let usedAt = Date.now();
  while (Date.now() - usedAt < IDLE_TIMEOUT_MS) {
    await delay(POLL_MS);
    if (clients.size > 0) usedAt = Date.now();
  }
}

async function remove(...path: string[]): Promise<void> {
  await rm(join(...path), { recursive: true, force: true, maxRetries: 8, retryDelay: 50 }).catch(() => undefined);
}

await runDaemon(process.argv[2]!);
process.exit();
