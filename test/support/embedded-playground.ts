import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import {
  openEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/embedded-postgres/embedded-postgres.js';
import { readPidFile } from '../../src/embedded-postgres/server.js';

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
    return this.keep(await startEmbeddedPostgres(dataDir, { settings: { ...options.settings, ...settings } }));
  }

  async open(dataDir: string): Promise<EmbeddedPostgres> {
    return this.keep(await openEmbeddedPostgres(dataDir, options));
  }

  /** A service in a process of its own; `ready` gives the address of its database. */
  spawnService(dataDir: string): { child: ChildProcess; ready: Promise<string> } {
    const program = `import(${JSON.stringify(built)})
      .then((it) => it.startEmbeddedPostgres(process.argv[1], ${JSON.stringify(options)}))
      .then(({ url }) => { console.log(url); setInterval(() => undefined, 1000); })`;
    const child = spawn(process.execPath, ['-e', program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.children.push(child);
    return { child, ready: once(child.stdout, 'data').then(([url]) => String(url).trim()) };
  }

  spawnStranger(): number {
    const stranger = spawn('sleep', ['60']);
    this.children.push(stranger);
    return stranger.pid!;
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.children.splice(0).map(kill));
    await Promise.all(this.opened.splice(0).map((each) => each.stop()));
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true });
  }

  private keep(postgres: EmbeddedPostgres): EmbeddedPostgres {
    this.opened.push(postgres);
    return postgres;
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGKILL');
  await ended;
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  client.on('error', () => undefined); // the server may be killed while we are connected
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

/** The number of the server's process. */
export async function serverOf(dataDir: string): Promise<number> {
  return (await readPidFile(join(dataDir, 'postgres')))!.pid;
}

/** Tries for ten seconds. */
export async function eventually<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let left = 100; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0) throw error;
      await delay(100);
    }
  }
}
