import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HttpConnection } from '../load/http-connection.mjs';
import { stop } from '../machine/child.mjs';
import { atEnd } from '../machine/clean-up.mjs';

const MAIN = fileURLToPath(new URL('../../../dist/src/main.js', import.meta.url));

const PATIENCE_MS = 60_000;

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
  MAX_CONNECTIONS_PER_CLIENT: '0',
  MAX_INCOMPLETE_REQUESTS_PER_CLIENT: '0',
};

/** The service as it is run, its log in a file. Resolves when it answers; `readyMs` is how long that took. */
export async function startService(settings, nodeOptions = []) {
  const folder = await mkdtemp(join(tmpdir(), 'sales-upload-bench-service-'));
  const removed = atEnd(() => rm(folder, { recursive: true, force: true }));
  const log = join(folder, 'log');
  const output = await open(log, 'w');
  const begin = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, MAIN], {
    cwd: folder, // where there is no .env to be read
    env: { PATH: process.env.PATH, ...SETTINGS, ...settings },
    stdio: ['ignore', output.fd, output.fd],
  });
  await output.close();
  const stopped = atEnd(() => stop(child));
  const port = await portIn(log, child);
  await firstAnswer(port);
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

async function firstAnswer(port) {
  const connection = new HttpConnection(port);
  await connection.send('POST /api/v1/sales/upload-daily HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n');
  connection.close();
}

/** A token, by logging in as a client does. */
export async function logIn({ port }, username, password) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', username, password }),
  });
  if (answer.status !== 200) throw new Error(`the login answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()).access_token;
}
