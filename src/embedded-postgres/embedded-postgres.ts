import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureCluster, urlOf } from './cluster.js';
import type { Site } from './guarded-program.js';
import { takeLock, type DataFolderLock } from './lock.js';
import { assertNotForeign, chooseAccount } from './operating-system.js';
import { findPrograms } from './programs.js';
import { endPredecessor, startServer, type Server } from './server.js';

/** A running database. */
export interface EmbeddedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

export type PostgresOptions = Partial<Pick<Site, 'settings' | 'onLine'>>;

const CLUSTER = 'postgres';
const LOCK_TIMEOUT_MS = 30_000;
const LOCK_POLL_MS = 100;

/** Starts the database of a folder, for commands too; fails if another service has it. */
export function startEmbeddedPostgres(
  dataDir: string,
  options: PostgresOptions = {},
): Promise<EmbeddedPostgres> {
  return open(resolve(dataDir), options, true);
}

/** Uses a running cluster, or starts it for this process alone. */
export function attachEmbeddedPostgres(
  dataDir: string,
  options: PostgresOptions = {},
): Promise<EmbeddedPostgres> {
  return open(resolve(dataDir), options, false);
}

async function open(
  dataDir: string,
  options: PostgresOptions,
  shared: boolean,
): Promise<EmbeddedPostgres> {
  try {
    await mkdir(dataDir, { recursive: true });
    await assertNotForeign(dataDir, join(dataDir, CLUSTER));
    const deadline = Date.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      const lock = await takeLock(dataDir);
      if ('release' in lock) return await startLocked(dataDir, options, shared, lock);
      const { port, pid } = lock;
      if (port !== undefined && !shared)
        return { url: await urlOf(dataDir, port), stop: () => Promise.resolve() };
      if (port !== undefined || Date.now() > deadline)
        throw new Error(
          `The data folder ${dataDir} is in use by the service running as process ${pid}: ` +
            'stop that one first, or choose another folder.',
        );
      await delay(LOCK_POLL_MS);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error; // only errors of the operating system have one
    throw new Error(`The data folder ${dataDir} cannot be used: ${message.split('\n')[0]}`, {
      cause: error,
    });
  }
}

async function startLocked(
  dataDir: string,
  options: PostgresOptions,
  shared: boolean,
  lock: DataFolderLock,
) {
  const { settings = {}, onLine = () => undefined } = options;
  const stopping = new AbortController();
  let server: Server | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort();
    await server?.stopped;
    await lock.release();
  };
  try {
    const clusterDir = join(dataDir, CLUSTER);
    const account = await chooseAccount(dataDir, clusterDir);
    const site = {
      dataDir,
      clusterDir,
      account,
      programs: await findPrograms(dataDir, account),
      settings,
      onLine,
    };
    await endPredecessor(site);
    await ensureCluster(site);
    server = await startServer(site, stopping.signal);
    if (shared) await lock.publish(server.port);
    return { url: await urlOf(dataDir, server.port), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
