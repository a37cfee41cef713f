import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

export const ROOT = join(import.meta.dirname, '../..');

export async function until(check, what, timeoutMs = 60_000) {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await delay(20)) {
    const found = await check();
    if (found) return found;
  }
  throw new Error(`waited in vain for ${what}`);
}

export async function freePort() {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Runs a program to its end and returns what it wrote; fails where it does. */
export function run(program, args, options = {}) {
  const ran = spawnSync(program, args, { encoding: 'utf8', ...options });
  if (ran.status !== 0)
    throw ran.error ?? new Error(`${program} ${args.join(' ')}: ${ran.stderr}${ran.stdout}`);
  return ran.stdout;
}

/** Runs an administrator's command of a release, while everything else goes on. */
export async function runCommand(url, words, root = ROOT) {
  const env = { PATH: process.env.PATH, DATABASE_URL: url };
  const args = [join(root, 'dist/src/cli.js'), ...words.split(' ')];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: tmpdir(), env });
  return stdout;
}

/** Shows rows as a table, with few digits behind the point, and without columns that are empty. */
export function showTable(rows) {
  const round = (value) =>
    typeof value === 'number' ? Number(value.toFixed(value >= 100 ? 0 : 2)) : value;
  const cells = (row) => Object.entries(row).filter(([, value]) => value !== undefined);
  const rounded = (row) => cells(row).map(([name, value]) => [name, round(value)]);
  console.table(rows.map((row) => Object.fromEntries(rounded(row))));
}

/** Ends a child by a signal, or by SIGKILL where that takes longer than 20 seconds. */
export async function end(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  child.kill(signal);
  await once(child, 'exit');
  clearTimeout(timer);
}

/** The service as an operator runs it, on a port that stays the same over restarts. */
export class Service {
  /** Runs a program of the release in `root`, in a folder that has its log, if `stdout` does not. */
  static async start(settings, { folder, root, program = 'dist/src/main.js', stdout }) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = Object.assign(new Service(), { folder, program, stdout, port, url });
    service.settings = { JWT_SECRET: 'kJ8sd7Gh2lPq9xVb4nZm1wEr6tYu3iOa5cDf0', ...settings };
    await service.start(root);
    return service;
  }

  async start(root = ROOT) {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      TIME_ZONE: 'UTC',
      CURRENCY: 'SGD',
      EXIT_WITH_PARENT: 'true',
      PORT: String(this.port),
      BCRYPT_COST: '10',
      ...this.settings,
    };
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const args = [...(scripts.start.match(/--[\w-]+=\d+/g) ?? []), join(root, this.program)];
    const begin = performance.now();
    const log = openSync(join(this.folder, `${this.port}.log`), 'a');
    // In its folder there is no .env.
    const options = { cwd: this.folder, env, stdio: ['ignore', this.stdout ?? log, 2] };
    this.child = spawn(process.execPath, args, options);
    closeSync(log);
    await until(() => this.isReady(), 'the service to be ready');
    this.readyMs = performance.now() - begin;
  }

  async isReady() {
    if (this.child.exitCode !== null) throw new Error(`the service ended: see ${this.folder}`);
    return fetch(`${this.url}/health/ready`).then(({ ok }) => ok).catch(() => false); // prettier-ignore
  }

  get pid() {
    return this.child.pid;
  }

  stop() {
    return end(this.child, 'SIGTERM');
  }
}
