import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readAccess, saveAccess, urlOf } from './access.js';
import { findPrograms } from './binaries.js';
import { ensureCluster } from './cluster.js';
import { tryLock, type LockHolder } from './lock.js';
import { asEmbeddedPostgresError, EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { findProcess } from './process.js';
import { readPidFile, clearPredecessor } from './server.js';
import { chooseAccount, prepareDataDir, type Site } from './site.js';
import { EmbeddedSupervisor } from './supervisor.js';

/** A PostgreSQL that this process may use until it calls stop(). */
export interface EmbeddedPostgres {
  readonly url: string;
  /** True when this call made the cluster: the first start. */
  readonly created: boolean;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** PostgreSQL settings by name, over the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Is handed what PostgreSQL logs, and what is done about it when it ends. */
  readonly onLine?: (line: string) => void;
}

/** How long a command waits for a service that is just starting, and anyone for a command to finish. */
const PATIENCE_MS = 30_000;
const POLL_MS = 100;

/**
 * Starts the cluster in `<dataDir>/postgres` for this process alone, and makes it on the first start.
 * Throws EmbeddedPostgresError: a line for a person.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  return openAs('service', resolve(dataDir), options).catch(throwForPerson);
}

/**
 * For the administrator's command line: the database of the service that runs beside us, or, when none does, one
 * started for this command alone. stop() stops only the latter. Throws EmbeddedPostgresError: a line for a person.
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  return openAs('command', resolve(dataDir), options).catch(throwForPerson);
}

type Options = EmbeddedPostgresOptions;
type Role = LockHolder['role'];

async function openAs(role: Role, dataDir: string, options: Options): Promise<EmbeddedPostgres> {
  await prepareDataDir(dataDir, clusterOf(dataDir));
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const attempt = await tryLock(dataDir, role);
    if (attempt.taken) return startHere(dataDir, options, attempt.release);
    const { holder } = attempt;
    // A command's database goes away with the command, so another one waits for its turn.
    const url = role === 'command' && holder.role === 'service' ? await urlOfService(dataDir, holder) : undefined;
    if (url !== undefined) return { url, created: false, stop: () => Promise.resolve() };
    const bothServices = role === 'service' && holder.role === 'service';
    if (bothServices || Date.now() > deadline) throw inUse(dataDir, holder);
    await delay(POLL_MS);
  }
}

async function startHere(dataDir: string, options: Options, release: () => Promise<void>): Promise<EmbeddedPostgres> {
  let supervisor: EmbeddedSupervisor | undefined;
  const stop = async (): Promise<void> => {
    await supervisor?.stop();
    await release();
  };
  try {
    const site = await siteOf(dataDir, options);
    await clearPredecessor(site);
    const { access, created } = await ensureCluster(site);
    supervisor = await EmbeddedSupervisor.start(site, access.port);
    const actual = { ...access, port: supervisor.port };
    if (actual.port !== access.port) await saveAccess(dataDir, actual);
    let stopped: Promise<void> | undefined;
    return { url: urlOf(actual), created, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function siteOf(dataDir: string, { settings = {}, onLine = () => undefined }: Options): Promise<Site> {
  const clusterDir = clusterOf(dataDir);
  const account = await chooseAccount(dataDir, clusterDir);
  return { dataDir, clusterDir, account, programs: await findPrograms(dataDir, account), settings, onLine };
}

function clusterOf(dataDir: string): string {
  return join(dataDir, 'postgres');
}

function throwForPerson(error: unknown): never {
  throw asEmbeddedPostgresError(error);
}

/** Undefined while the service's database is not ready. */
async function urlOfService(dataDir: string, service: LockHolder): Promise<string | undefined> {
  const [access, server] = await Promise.all([readAccess(dataDir), readPidFile(clusterOf(dataDir))]);
  if (!access || !server?.ready) return undefined;
  // Only its own child: a predecessor's server, still running, is about to be stopped.
  const isItsOwn = (await findProcess(server.pid))?.parent === service.pid;
  return isItsOwn ? urlOf({ ...access, port: server.port }) : undefined;
}

function inUse(dataDir: string, { pid, role }: LockHolder): EmbeddedPostgresError {
  const who = role === 'service' ? 'the service' : "an administrator's command";
  return new EmbeddedPostgresError(
    `The data folder ${dataDir} is in use by ${who} running as process ${pid}: stop that one first, or choose another folder.`,
  );
}
