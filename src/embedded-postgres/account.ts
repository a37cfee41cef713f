import { existsSync } from 'node:fs';
import { lchown, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const UNPRIVILEGED = ['postgres', '_postgres', 'nobody', 'daemon'];

/** PostgreSQL does not run as root. undefined: the current account. */
export async function chooseAccount(dataDir: string, clusterDir: string): Promise<Account | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  const [data, cluster] = [await ownerOf(dataDir), await ownerOf(clusterDir)];
  if (cluster && cluster.uid !== 0) return cluster;
  const known = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
  // initdb needs a named account
  const owner = known.find(({ uid }) => uid > 0 && uid === data?.uid);
  const account = owner ?? known.find(({ name, uid }) => uid > 0 && UNPRIVILEGED.includes(name));
  if (account) return { uid: account.uid, gid: account.gid };
  throw new EmbeddedPostgresError('PostgreSQL refuses to run as root: start the service as another user.');
}

/** The account may not enter the folders above. */
export function ownName(account: Account | undefined, folder: string): string {
  return account && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : folder;
}

/** PostgreSQL must own its files. */
export async function giveTo(account: Account | undefined, path: string): Promise<void> {
  if (!account || (await ownerOf(path))?.uid === account.uid) return;
  const entries = await readdir(path, { recursive: true }).catch(() => []);
  for (const entry of [...entries, '']) await lchown(join(path, entry), account.uid, account.gid);
}

async function ownerOf(path: string): Promise<Account | undefined> {
  return stat(path).catch(() => undefined);
}
