import { existsSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { chooseAccount } from './account.js';
import { createCluster, urlOf } from './cluster.js';
import type { Site } from './guarded-program.js';
import { findPrograms } from './programs.js';
import { type EmbeddedPostgres, readPidFile, startServer } from './server.js';

/** Who started PostgreSQL: others share that of a service, and wait for the end of a command. */
type Role = 'service' | 'command';

type Options = Partial<Pick<Site, 'settings' | 'onLine'>>;

const TIMEOUT_MS = 30_000;
const POLL_MS = 100;
/** PostgreSQL listens at the latest so long after it has written postmaster.pid. */
const LISTENS_WITHIN_MS = 3000;
/** Reasons of a failed start that pass by themselves: a taken port, a server in the folder. */
const TRANSIENT = /could not create any TCP\/IP sockets|pre-existing shared memory block|lock file/;

/** Starts the database of a folder, or lets a command use that of a running service. */
export async function openEmbeddedPostgres(role: Role, folder: string, options?: Options) {
  const dataDir = resolve(folder);
  const clusterDir = join(dataDir, 'postgres');
  try {
    await mkdir(dataDir, { recursive: true });
    const account = await chooseAccount(clusterDir);
    const programs = await findPrograms(dataDir, account !== undefined);
    const settings = { ...options?.settings, cluster_name: `${role} ${process.pid}` };
    const onLine = options?.onLine ?? (() => undefined);
    return await attachOrStart(role, { clusterDir, programs, account, settings, onLine });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error; // only errors of the operating system have one
    throw new Error(`The data folder ${dataDir} cannot be used: ${message.split('\n')[0]}`, {
      cause: error,
    });
  }
}

async function attachOrStart(role: Role, site: Site): Promise<EmbeddedPostgres> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const holder = await findHolder(site.clusterDir);
    const isShared = holder?.role === 'service';
    if (isShared && role === 'command') return { url: holder.url, stop: () => Promise.resolve() };
    if (isShared || (holder && Date.now() > deadline))
      throw new Error(
        `The data folder ${dirname(site.clusterDir)} is in use by the ${holder.role} ` +
          `running as process ${holder.pid}: stop that one first, or choose another folder.`,
      );
    try {
      if (!existsSync(site.clusterDir)) await createCluster(site);
      if (!holder) return await startServer(site);
    } catch (error) {
      if (Date.now() > deadline || !TRANSIENT.test((error as Error).message)) throw error;
    }
    await delay(POLL_MS);
  }
}

/** Finds out who started the PostgreSQL that runs in a folder. */
async function findHolder(clusterDir: string) {
  const { pid, port } = await readPidFile(clusterDir);
  if (!isAlive(pid)) return undefined;
  const url = await urlOf(clusterDir, port);
  const client = new Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ cluster_name: string }>('SHOW cluster_name');
    const [role, starter] = rows[0]!.cluster_name.split(' ');
    if (isAlive(Number(starter))) return { role, pid: starter, url };
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
  return { role: 'PostgreSQL', pid, url };
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it runs under another account
  }
}
