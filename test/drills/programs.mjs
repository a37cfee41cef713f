import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const ROOT = join(import.meta.dirname, '../..');
export const SECRETS = ['first', 'second'].map(
  (name) => `${name}-kJ8sd7Gh2lPq9xVb4nZm1wEr6tYu3iOa5cDf0`,
);

const TIMEOUT_MS = 60_000;

export async function until(check, what, timeoutMs = TIMEOUT_MS) {
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
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    ...options,
  });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}

/** Runs an administrator's command of a release. */
export function runCommand(url, words, root = ROOT) {
  const env = { PATH: process.env.PATH, DATABASE_URL: url };
  const args = [join(root, 'dist/src/cli.js'), ...words.split(' ')];
  return run(process.execPath, args, { cwd: tmpdir(), env });
}

/** The service as an operator runs it, on a port that stays the same over restarts. */
export class Service {
  /**
   * `root` is the release, and `program` what of it is run. `folder` is where it works and has its
   * log; `stdout` takes the log in place of that: a file, or a pipe that nobody reads.
   */
  constructor(port, settings, { folder, root = ROOT, program = 'dist/src/main.js', stdout }) {
    Object.assign(this, { port, settings, folder, root, program, stdout });
    this.url = `http://127.0.0.1:${port}`;
    this.log = join(folder, `${port}.log`);
  }

  static async start(settings, options) {
    const service = new Service(await freePort(), settings, options);
    await service.start();
    return service;
  }

  async start(changes = {}, root = this.root) {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      EXIT_WITH_PARENT: 'true',
      PORT: String(this.port),
      BCRYPT_COST: '10',
      JWT_SECRET: SECRETS[0],
      ...this.settings,
      ...changes,
    };
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const flags = scripts.start.match(/--[\w-]+=\d+/g) ?? [];
    const log = openSync(this.log, 'a');
    const begin = performance.now();
    this.child = spawn(process.execPath, [...flags, join(root, this.program)], {
      cwd: this.folder, // where no .env is
      env,
      stdio: ['ignore', this.stdout ?? log, 2],
    });
    closeSync(log);
    await until(() => this.isReady(), 'the service to be ready');
    this.readyMs = performance.now() - begin;
  }

  async isReady() {
    if (this.hasEnded) throw new Error(`the service ended: ${readFileSync(this.log, 'utf8')}`);
    return fetch(`${this.url}/health/ready`).then(({ ok }) => ok).catch(() => false); // prettier-ignore
  }

  get pid() {
    return this.child.pid;
  }

  get hasEnded() {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Returns whether it ended by itself, without being killed. */
  async stop() {
    if (!this.hasEnded) {
      this.child.kill('SIGTERM');
      const timer = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
      await once(this.child, 'exit');
      clearTimeout(timer);
    }
    return this.child.signalCode !== 'SIGKILL';
  }
}
