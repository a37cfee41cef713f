import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the account that PostgreSQL, which refuses root, runs as. undefined: the current one. */
export async function chooseAccount(clusterDir: string): Promise<Account | undefined> {
  const user = process.geteuid!();
  const owner = await stat(clusterDir).catch(() => undefined);
  if (user !== 0 && owner && owner.uid !== user)
    throw new Error(
      `The data folder ${dirname(clusterDir)} belongs to another user: ` +
        `start the service as the user ${owner.uid}, or choose another folder with DATA_DIR.`,
    );
  if (user !== 0) return undefined;
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const name of ['postgres', 'nobody']) {
    const ids = new RegExp(`^${name}:[^:]*:([1-9]\\d*):(\\d+)`, 'm').exec(accounts);
    if (ids) return { uid: Number(ids[1]), gid: Number(ids[2]) };
  }
  throw new Error('PostgreSQL refuses to run as root: start the service as another user.');
}
