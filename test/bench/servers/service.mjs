import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atEnd, stop } from '../processes.mjs';

export const THIS_VERSION = fileURLToPath(new URL('../../../', import.meta.url));

const PATIENCE_MS = 60_000;

/** Of the start script, where the flags of production stand. */
const NODE_FLAGS = /--(?:heap|max-semi|semi)-[\w-]+=\d+/g;

/**
 * The settings of production; the cost of a hash is lower only so that there are enough logins to count, and clients are
 * not limited, as all load comes from one address.
 */
const SETTINGS = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'info',
  BCRYPT_COST: '10',
  HASH_QUEUE_MAX: '16', // as long as 4 hashes of cost 12
  MAX_CONNECTIONS_PER_CLIENT: '0',
};

/** Starts the service as in production, its log in a file. `readyMs` is how long it took until it answered. */
export async function startService(folder, settings) {
  const cwd = await mkdtemp(join(tmpdir(), 'sales-upload-bench-service-')); // without a .env
  const removed = atEnd(() => rm(cwd, { recursive: true, force: true }));
  const log = join(cwd, 'log');
  const output = await open(log, 'w');
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const flags = scripts.start.match(NODE_FLAGS) ?? [];
  const begin = performance.now();
  const child = spawn(process.execPath, [...flags, join(folder, 'dist/src/main.js')], {
    cwd,
    env: { PATH: process.env.PATH, ...SETTINGS, ...settings },
    stdio: ['ignore', output.fd, output.fd],
  });
  await output.close();
  const stopped = atEnd(() => stop(child));
  const port = await portIn(log, child);
  await fetch(`http://127.0.0.1:${port}/health/live`).then((response) => response.text());
  const readyMs = performance.now() - begin;
  return { port, pid: child.pid, readyMs, stop: () => stopped().then(removed) };
}

async function portIn(log, child) {
  const ended = once(child, 'exit');
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    const text = await readFile(log, 'utf8');
    const port = /listening on http:\/\/[\d.]+:(\d+)/.exec(text)?.[1];
    if (port) return Number(port);
    if (child.exitCode !== null) throw new Error(`the service did not start: ${text}`);
    await Promise.race([ended, delay(5)]);
  }
  throw new Error('the service did not start in time');
}

/** Runs an administrator's command and resolves with its output. */
export async function runCommand(folder, url, ...words) {
  const env = {
    ...process.env,
    ...SETTINGS,
    DATABASE_URL: url,
    JWT_SECRET: randomBytes(48).toString('base64url'),
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, 'dist/src/cli.js'), ...words],
    { cwd: tmpdir(), env },
  );
  return stdout;
}

/** Logs in as a client does and resolves with the token. */
export async function logIn({ port }, username, password) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', username, password }),
  });
  if (response.status !== 200)
    throw new Error(`the login was answered ${response.status}: ${await response.text()}`);
  return (await response.json()).access_token;
}
