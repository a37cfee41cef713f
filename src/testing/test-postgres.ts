import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { lstat, mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { PLAIN_ENVIRONMENT } from '../embedded-postgres/guarded-program.js';

const DAEMON = fileURLToPath(new URL('./postgres-daemon.js', import.meta.url));
const POLL_MS = 20;

let found: Promise<string> | undefined;

/** Returns the URL of the PostgreSQL that all test servers of this account share. */
export function findTestPostgres(): Promise<string> {
  return (found ??= find());
}

async function find(): Promise<string> {
  const folder = await makeFolder();
  let daemon: ChildProcess | undefined;
  for (;;) {
    const url = await readFile(join(folder, 'url'), 'utf8').catch(() => undefined);
    if (url !== undefined && (await tryLock(url))) return url;
    if (daemon?.exitCode)
      throw new Error(`PostgreSQL did not start: ${await readFile(join(folder, 'log'), 'utf8')}`);
    if (!daemon || daemon.exitCode === 0 || daemon.signalCode) daemon = startDaemon(folder);
    await delay(POLL_MS);
  }
}

function startDaemon(folder: string): ChildProcess {
  const log = openSync(join(folder, 'log'), 'w');
  const daemon = spawn(process.execPath, [DAEMON, folder], {
    detached: true,
    stdio: ['ignore', 'ignore', log],
    cwd: folder,
    env: PLAIN_ENVIRONMENT,
  });
  closeSync(log);
  daemon.unref();
  return daemon;
}

/** Keeps the lock as long as this process runs: without one PostgreSQL would end. */
async function tryLock(connectionString: string): Promise<boolean> {
  const pool = new Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  pool.on('error', () => (found = undefined));
  return pool.query('SELECT pg_advisory_lock_shared(1)').then(
    () => true,
    () => false,
  );
}

/** Makes the folder of this account and of this copy of the service. */
async function makeFolder(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const hash = createHash('sha256').update(DAEMON).digest('hex').slice(0, 8);
  const folder = join(tmpdir(), `sales-testing-${uid}-${hash}`);
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
  const entry = await lstat(folder);
  if (entry.uid !== uid || !entry.isDirectory() || (entry.mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder of this account alone: remove it`);
  return folder;
}
