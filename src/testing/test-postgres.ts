import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { PLAIN_ENVIRONMENT } from '../embedded-postgres/operating-system.js';
import type { DaemonMessage } from './postgres-daemon.js';

const DAEMON = fileURLToPath(new URL('./postgres-daemon.js', import.meta.url));
const START_TIMEOUT_MS = 120_000;
const POLL_MS = 20;

let postgresUrl: Promise<string> | undefined;

/** Clones the migrated template in the PostgreSQL that all test servers of this account share; returns its URL. */
export async function createTestDatabase(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = await (postgresUrl ??= findPostgres());
  await execute(template, `CREATE DATABASE ${name} TEMPLATE sales`);
  return withDatabase(template, name);
}

export async function dropTestDatabase(url: string): Promise<void> {
  await execute(url, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

/** PostgreSQL ends soon after the last process with a connection to its daemon. */
async function findPostgres(): Promise<string> {
  const folder = await makeFolder();
  const deadline = Date.now() + START_TIMEOUT_MS;
  let daemon: ChildProcess | undefined;
  while (Date.now() < deadline) {
    const socket = await tryConnect(join(folder, 'socket'));
    const message = socket && (await readMessage(socket));
    if (message?.error !== undefined) throw new Error(message.error);
    if (message?.url !== undefined) return message.url;
    if (!daemon || daemon.exitCode !== null || daemon.signalCode !== null) {
      const options = { detached: true, stdio: 'ignore', cwd: folder, env: PLAIN_ENVIRONMENT } as const;
      daemon = spawn(process.execPath, [DAEMON, folder], options);
      daemon.once('error', () => undefined).unref();
    }
    await delay(POLL_MS);
  }
  throw new Error(`PostgreSQL did not start within ${START_TIMEOUT_MS / 1000} s`);
}

/** One for each account and installation, since their migrations differ. */
async function makeFolder(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const installation = createHash('sha256').update(DAEMON).digest('hex').slice(0, 8);
  const folder = join(tmpdir(), `sales-testing-${uid}-${installation}`);
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder of this account alone: remove it`);
  return folder;
}

async function tryConnect(path: string): Promise<Socket | undefined> {
  const socket = connect(path);
  return once(socket, 'connect').then(
    () => socket.on('error', () => undefined),
    () => undefined,
  );
}

/** Undefined if the daemon was ending. The open socket keeps PostgreSQL running, but not this process. */
async function readMessage(socket: Socket): Promise<DaemonMessage | undefined> {
  socket.once('close', () => (postgresUrl = undefined));
  for await (const line of createInterface(socket)) {
    socket.unref();
    return JSON.parse(line) as DaemonMessage;
  }
  return undefined;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client(withDatabase(url, 'postgres'));
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

function withDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
