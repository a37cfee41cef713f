import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const ROOT = join(import.meta.dirname, '../..');
export const CLI = join(ROOT, 'dist/src/cli.js');
export const SECRETS = ['first', 'second'].map(
  (name) => `${name}-kJ8sd7Gh2lPq9xVb4nZm1wEr6tYu3iOa5cDf0`,
);

const TIMEOUT_MS = 60_000;

export async function until(check, what, timeoutMs = TIMEOUT_MS) {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await delay(50)) {
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

/** The service as an operator runs it, on a port that stays the same over restarts. */
export class Service {
  log = '';

  /** `stdout` takes the log in place of the drill: a file, or a pipe that nobody reads. */
  constructor(port, settings, { root = ROOT, stdout } = {}) {
    Object.assign(this, { port, settings, root, stdout, url: `http://127.0.0.1:${port}` });
  }

  static async start(settings, options = {}) {
    const service = new Service(await freePort(), settings, options);
    await service.start();
    return service;
  }

  async start(changes = {}, root = this.root) {
    const fixed = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: String(this.port),
      BCRYPT_COST: '10',
    };
    const env = {
      ...fixed,
      JWT_SECRET: SECRETS[0],
      MIGRATE_ON_START: 'false',
      ...this.settings,
      ...changes,
    };
    this.child = spawn(process.execPath, [join(root, 'dist/src/main.js')], {
      env,
      stdio: ['ignore', this.stdout ?? 'pipe', 2],
    });
    if (this.stdout === undefined)
      this.child.stdout.on('data', (data) => (this.log = (this.log + data).slice(-100_000)));
    await until(() => this.isReady(), 'the service to be ready');
  }

  async isReady() {
    if (this.child.exitCode !== null) throw new Error(`the service ended: ${this.log}`);
    return fetch(`${this.url}/health/ready`).then(({ ok }) => ok).catch(() => false); // prettier-ignore
  }

  /** Returns how many milliseconds the end took; undefined if it had to be killed. */
  async stop() {
    const since = Date.now();
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      const timer = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
      await once(this.child, 'exit');
      clearTimeout(timer);
    }
    return this.child.signalCode === 'SIGKILL' ? undefined : Date.now() - since;
  }
}
