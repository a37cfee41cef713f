import { existsSync } from 'node:fs';
import { access, chown, constants, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { PLAIN_ENVIRONMENT } from './process.js';

/** A system account by its numbers. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Where a cluster lives, which programs serve it, and as whom. */
export interface Site {
  readonly dataDir: string;
  readonly clusterDir: string;
  /** The folder that holds PostgreSQL's bin, lib and share. */
  readonly programs: string;
  /** Whom PostgreSQL runs as when we are root, which it refuses to be; undefined: as we do. */
  readonly account: Account | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

interface PasswdEntry extends Account {
  readonly name: string;
}

const UNPRIVILEGED = ['postgres', '_postgres', 'nobody', 'daemon'];

/** How a program of PostgreSQL is started in a folder: as the right account. */
export function spawnOptions(site: Pick<Site, 'account'>, folder: string) {
  return { cwd: folder, env: PLAIN_ENVIRONMENT, ...site.account };
}

/**
 * How a program started by spawnOptions names that folder. Another account may not be allowed to enter the folders
 * above it (a checkout in /root); the process is put into it while still root, and this name leads to where it is.
 */
export function ownName(site: Pick<Site, 'account'>, folder: string): string {
  return site.account && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : folder;
}

/** Makes the data folder. Throws when we may not write there, or when the cluster in it is another user's. */
export async function prepareDataDir(dataDir: string, clusterDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    await assertOurs(dataDir);
    throw new EmbeddedPostgresError(`The data folder ${dataDir} cannot be used: ${(error as Error).message}`);
  }
  await assertOurs(clusterDir);
}

/** The account to run PostgreSQL as: none unless we are root, else whoever owns the data already, else an unprivileged one. */
export async function chooseAccount(dataDir: string, clusterDir: string): Promise<Account | undefined> {
  if (ourUid() !== 0) return undefined;
  const [data, cluster, known] = await Promise.all([ownerOf(dataDir), ownerOf(clusterDir), passwdEntries()]);
  if (cluster && cluster.uid !== 0) return cluster;
  // Only an account with a name: initdb refuses others. Such an owner can then use the data without being root.
  const owner = known.find(({ uid }) => uid !== 0 && uid === data?.uid);
  const fallback = UNPRIVILEGED.map((name) => known.find((entry) => entry.name === name && entry.uid > 0));
  const entry = owner ?? fallback.find((candidate) => candidate !== undefined);
  if (entry) return { uid: entry.uid, gid: entry.gid };
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and /etc/passwd knows none of the accounts ' +
      `${UNPRIVILEGED.join(', ')}: start the service as an ordinary user, or set DATABASE_URL.`,
  );
}

/** What root writes into another user's data folder belongs to that user. */
export async function giveToOwnerOf(dataDir: string, file: string): Promise<void> {
  const owner = await ownerOf(dataDir);
  if (owner && ourUid() === 0) await chown(file, owner.uid, owner.gid);
}

export async function ownerOf(path: string): Promise<Account | undefined> {
  return stat(path)
    .then(({ uid, gid }) => ({ uid, gid }))
    .catch(() => undefined);
}

/** The effective user number; -1 where the system has none (Windows). */
export function ourUid(): number {
  return process.geteuid?.() ?? -1;
}

async function assertOurs(folder: string): Promise<void> {
  const owner = await ownerOf(folder);
  if (!owner || ourUid() === 0 || owner.uid === ourUid()) return;
  throw new EmbeddedPostgresError(
    `The data folder ${folder} belongs to user ${await nameOf(owner.uid)}, and we are user ${await nameOf(ourUid())}: ` +
      'start the service as the user who did so first, or choose another folder.',
  );
}

async function nameOf(uid: number): Promise<string> {
  return (await passwdEntries()).find((entry) => entry.uid === uid)?.name ?? String(uid);
}

async function passwdEntries(): Promise<PasswdEntry[]> {
  const text = await readFile(join('/etc', 'passwd'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
