import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import {
  attachEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/embedded-postgres/embedded-postgres.js';
import { stretched } from '../support/time-limits.js';

// The machine stays up, so what was committed is not lost when a process is killed.
const options = { settings: { fsync: 'off', max_connections: '20', shared_buffers: '16MB' } };
const built = join(__dirname, '../../dist/src/embedded-postgres/embedded-postgres.js');

/** A folder for clusters, and whatever was started there, which is all gone after the test. */
export class EmbeddedPlayground {
  private readonly opened: EmbeddedPostgres[] = [];
  private readonly children: ChildProcess[] = [];

  private constructor(readonly root: string) {}

  static async make(): Promise<EmbeddedPlayground> {
    const root = await mkdtemp(join(tmpdir(), 'embedded-postgres-test-'));
    await chmod(root, 0o755);
    return new EmbeddedPlayground(root);
  }

  async start(dataDir: string, settings = {}): Promise<EmbeddedPostgres> {
    return this.keep(
      await startEmbeddedPostgres(dataDir, { settings: { ...options.settings, ...settings } }),
    );
  }

  async open(dataDir: string): Promise<EmbeddedPostgres> {
    return this.keep(await attachEmbeddedPostgres(dataDir, options));
  }

  /** A service in a process of its own; `ready` gives the address of its database. */
  spawnService(dataDir: string): { child: ChildProcess; ready: Promise<string> } {
    const program = `import(${JSON.stringify(built)})
      .then((it) => it.startEmbeddedPostgres(process.argv[1], ${JSON.stringify(options)}))
      .then(({ url }) => { console.log(url); setInterval(() => undefined, 1000); })`;
    const child = spawn(process.execPath, ['-e', program, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.children.push(child);
    return { child, ready: once(child.stdout, 'data').then(([url]) => String(url).trim()) };
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.children.splice(0).map(kill));
    await Promise.all(this.opened.splice(0).map((each) => each.stop()));
  }

  private keep(postgres: EmbeddedPostgres): EmbeddedPostgres {
    this.opened.push(postgres);
    return postgres;
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  const ended =
    child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGKILL');
  await ended;
}

export async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  client.on('error', () => undefined); // the server may be killed while we are connected
  await client.connect();
  return client;
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = await connect(url);
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

/** The number of PostgreSQL's process. */
export async function serverOf(dataDir: string): Promise<number> {
  return Number(
    (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n', 1)[0],
  );
}

/** Whether a process runs; one that ended and whose parent has not noticed does not. */
export async function runs(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State: Z');
  return !/^State:\s*Z/m.test(status);
}

/** The process that ends PostgreSQL together with its starter. */
export async function guardOf(dataDir: string): Promise<number> {
  for (const name of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const folder = await readlink(`/proc/${name}/cwd`).catch(() => undefined);
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (folder === join(dataDir, 'postgres') && command.startsWith('/bin/sh')) return Number(name);
  }
  throw new Error(`there is no guard in ${dataDir}`);
}

/** Tries until it succeeds, or the time is up. */
export async function retry<Result>(
  attempt: () => Promise<Result>,
  timeoutMs = 60_000,
): Promise<Result> {
  const deadline = Date.now() + stretched(timeoutMs);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(20);
    }
  }
}
