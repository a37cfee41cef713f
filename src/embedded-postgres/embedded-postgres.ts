import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { chooseAccount } from './account.js';
import { createCluster, urlOf } from './cluster.js';
import { GuardedProgram, type Site } from './guarded-program.js';
import { findPrograms } from './programs.js';

export interface EmbeddedPostgres {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** `role` is who starts it: commands use the database of a service, and not that of each other. */
type Options = Partial<Pick<Site, 'settings' | 'onLine'>> & {
  readonly role?: 'service' | 'command';
};

const TIMEOUT_MS = 30_000;
const POLL_MS = 100;
const READY_POLL_MS = 10;
/** PostgreSQL listens at the latest so long after it has written postmaster.pid. */
const LISTENS_WITHIN_MS = 3000;
/** Reasons of a failed start that pass by themselves: a taken port, a server in the folder. */
const TRANSIENT = /could not create any TCP\/IP sockets|pre-existing shared memory block|lock file/;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_line_prefix: '',
};

/** Starts the database of a folder, which is created if it is not there. */
export async function openEmbeddedPostgres(folder: string, options: Options = {}) {
  const dataDir = resolve(folder);
  const clusterDir = join(dataDir, 'postgres');
  try {
    await mkdir(dataDir, { recursive: true });
    const account = await chooseAccount(clusterDir);
    const programs = await findPrograms(dataDir, account !== undefined);
    const { role = 'service', onLine = () => undefined } = options;
    const settings = { ...options.settings, cluster_name: `${role} ${process.pid}` };
    return await start({ clusterDir, programs, account, settings, onLine });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error; // only errors of the operating system have one
    throw new Error(`The data folder ${dataDir} cannot be used: ${message.split('\n')[0]}`, {
      cause: error,
    });
  }
}

/** Returns the URL of the database that a running service has started in a folder. */
export async function findEmbeddedPostgres(folder: string): Promise<string | undefined> {
  const running = await findRunning(join(folder, 'postgres'));
  return running?.role === 'service' ? running.url : undefined;
}

/** Starts PostgreSQL once that of a killed service has ended, and no other process starts it. */
async function start(site: Site): Promise<EmbeddedPostgres> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const running = await findRunning(site.clusterDir);
    if (running?.role || (running && Date.now() > deadline))
      throw new Error(
        `The data folder ${dirname(site.clusterDir)} is in use by the ` +
          `${running.role ?? 'PostgreSQL'} running as process ${running.pid}: stop that one first, or choose another folder.`,
      );
    try {
      if (!existsSync(site.clusterDir)) await createCluster(site);
      if (!running) return await startServer(site);
    } catch (error) {
      if (Date.now() > deadline || !TRANSIENT.test((error as Error).message)) throw error;
    }
    await delay(POLL_MS);
  }
}

/** Finds the PostgreSQL that runs in a folder, and the process that started it and runs as well. */
async function findRunning(clusterDir: string) {
  const { pid, port } = await readPidFile(clusterDir);
  if (!isAlive(pid)) return undefined;
  const url = await urlOf(clusterDir, port);
  const client = new Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ cluster_name: string }>('SHOW cluster_name');
    const [role, starter] = rows[0]!.cluster_name.split(' ');
    if (isAlive(Number(starter))) return { url, role, pid: starter };
    process.kill(pid, 'SIGINT'); // its guard may have been killed with its starter
  } catch (error) {
    const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    const file = join(clusterDir, 'postmaster.pid');
    const writtenAt = (await stat(file).catch(() => undefined))?.mtimeMs ?? Infinity;
    // Another program has the id of a killed PostgreSQL, whose file keeps a new one from starting.
    if (isRefused && Date.now() - writtenAt > LISTENS_WITHIN_MS) await rm(file, { force: true });
  } finally {
    await client.end();
  }
  return { url, role: undefined, pid };
}

/** Starts PostgreSQL; if it ends unexpectedly, so does this process. */
async function startServer(site: Site): Promise<EmbeddedPostgres> {
  const port = randomInt(20_000, 30_000); // below the ephemeral ports
  const settings = Object.entries({ ...SETTINGS, ...site.settings, port });
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = new GuardedProgram(site, site.clusterDir, ['postgres', ...options]);
  let hasEnded = false;
  while (!hasEnded) {
    const { pid, status } = await readPidFile(site.clusterDir);
    if (pid === program.child.pid && status === 'ready') break;
    hasEnded = await Promise.race([program.exited.then(() => true), delay(READY_POLL_MS, false)]);
  }
  if (hasEnded) throw new Error(`PostgreSQL did not start: ${await program.reason()}`);
  let isStopping = false;
  void program.exited.then(() => {
    if (!isStopping) throw new Error('PostgreSQL has ended unexpectedly'); // nobody catches it
  });
  const stop = (): Promise<void> => {
    isStopping = true;
    return program.stop();
  };
  return { url: await urlOf(site.clusterDir, port), stop };
}

/** Reads what PostgreSQL says of itself in postmaster.pid; without that file `pid` is 0. */
async function readPidFile(clusterDir: string) {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() };
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it runs under another account
  }
}
