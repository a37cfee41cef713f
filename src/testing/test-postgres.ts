import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLAIN_ENVIRONMENT } from '../embedded-postgres/guarded-program.js';

const DAEMON = fileURLToPath(new URL('./postgres-daemon.js', import.meta.url));

let found: Promise<string> | undefined;

/** Returns the URL of the PostgreSQL that all test servers of this account share. */
export function findTestPostgres(): Promise<string> {
  return (found ??= find());
}

async function find(): Promise<string> {
  const folder = await makeFolder();
  for (;;) {
    const url = await ask(join(folder, 'socket'));
    if (url !== undefined) return url;
    await startDaemon(folder);
  }
}

/** Asks the daemon for the URL, and stays connected: the daemon ends after the last process. */
async function ask(path: string): Promise<string | undefined> {
  const socket = connect(path);
  try {
    const answer = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.unref().on('close', () => (found = undefined));
    return answer[0] instanceof Buffer ? String(answer[0]) : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A daemon that was killed has left its socket.
    if (code === 'ECONNREFUSED') await rm(path, { force: true });
    else if (code !== 'ENOENT' && code !== 'ECONNRESET') throw error;
    return undefined;
  }
}

/** Returns when PostgreSQL is ready, or another daemon was faster. */
async function startDaemon(folder: string): Promise<void> {
  const daemon = fork(DAEMON, {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    cwd: folder,
    env: PLAIN_ENVIRONMENT,
    execArgv: [],
  });
  const events = ['message', 'exit', 'error'].map((name) => once(daemon, name));
  const [answer] = (await Promise.race(events)) as unknown[];
  if (answer !== 'ready')
    throw new Error(`the database of the tests was not made: ${String(answer)}`);
  daemon.disconnect();
  daemon.unref();
}

/** Makes the folder of this account and of this copy of the service. */
async function makeFolder(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const hash = createHash('sha256').update(DAEMON).digest('hex').slice(0, 8);
  // The path of a socket has 103 bytes at most.
  const parent = Buffer.byteLength(tmpdir()) > 60 ? '/tmp' : tmpdir();
  const folder = join(parent, `sales-testing-${uid}-${hash}`);
  await mkdir(folder, { mode: 0o700, recursive: true });
  const entry = await lstat(folder);
  if (entry.uid !== uid || !entry.isDirectory() || (entry.mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder of this account alone: remove it`);
  return folder;
}
