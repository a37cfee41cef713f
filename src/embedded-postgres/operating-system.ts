import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Returns the environment of PostgreSQL's programs, without PG*, LD_* and locale variables. */
export const PLAIN_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

const HAS_PROC = existsSync('/proc/self/stat');

/** Says when a process started, which tells it from a later one with the same number. */
export async function startOf(pid: number): Promise<string | undefined> {
  if (!HAS_PROC) return (await ps(pid, 'lstart=')) || undefined;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program comes first, in brackets, and may hold spaces: see proc(5).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 20 || fields[0] === 'Z') return undefined;
  return `${fields[19]}@${(await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim()}`;
}

export async function runsIn(folder: string, pid: number): Promise<boolean> {
  if (!HAS_PROC) return (await ps(pid, 'command=')).includes(folder);
  const [one, other] = await Promise.all(
    [`/proc/${pid}/cwd`, folder].map((path) => stat(path).catch(() => undefined)),
  );
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino;
}

async function ps(pid: number, column: string): Promise<string> {
  const run = promisify(execFile)('ps', ['-ww', '-o', column, '-p', String(pid)], {
    env: PLAIN_ENVIRONMENT,
  });
  return run.then(({ stdout }) => stdout.trim()).catch(() => '');
}

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const UNPRIVILEGED = ['postgres', '_postgres', 'nobody', 'daemon'];

/** Returns the account that PostgreSQL, which refuses root, runs as. undefined: the current one. */
export async function chooseAccount(
  dataDir: string,
  clusterDir: string,
): Promise<Account | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  const cluster = await ownerOf(clusterDir);
  if (cluster && cluster.uid !== 0) return cluster;
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  const accounts = lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
  const data = await ownerOf(dataDir);
  const account =
    accounts.find(({ uid }) => uid > 0 && uid === data?.uid) ?? // initdb needs a named account
    accounts.find(({ name, uid }) => uid > 0 && UNPRIVILEGED.includes(name));
  if (account) return { uid: account.uid, gid: account.gid };
  throw new Error('PostgreSQL refuses to run as root: start the service as another user.');
}

/** Throws what to do if another user made the data folder; root may use any. */
export async function assertNotForeign(dataDir: string, clusterDir: string): Promise<void> {
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  );
  const owner = (await ownerOf(clusterDir)) ?? (isWritable ? undefined : await ownerOf(dataDir));
  const user = process.geteuid?.() ?? 0;
  if (user === 0 || owner === undefined || owner.uid === user) return;
  throw new Error(
    `The data folder ${dataDir} belongs to another user: ` +
      `start the service as the user ${owner.uid}, or choose another folder with DATA_DIR.`,
  );
}

/** Gives files to the account of PostgreSQL, which must own them. */
export async function giveTo(account: Account | undefined, path: string): Promise<void> {
  if (!account || (await ownerOf(path))?.uid === account.uid) return;
  const entries = await readdir(path, { recursive: true }).catch(() => []);
  for (const entry of [...entries, '']) await lchown(join(path, entry), account.uid, account.gid);
}

async function ownerOf(path: string): Promise<Account | undefined> {
  return stat(path).catch(() => undefined);
}
