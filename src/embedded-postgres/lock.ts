import { readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { startOf } from './operating-system.js';

export interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly port?: number;
}

export type DataFolderLock = ReturnType<typeof lockAt>;

const PREFIX = 'embedded.lock.';

/**
 * Locks a data folder or returns its living holder; see docs/performance.md#lock-of-the-data-folder
 *
 * The highest number counts. Creating the next succeeds for one process only; replacing a dead holder's link could
 * remove a successor's.
 */
export async function takeLock(dataDir: string): Promise<DataFolderLock | LockHolder> {
  const holder = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '' };
  const pathOf = (number: number): string => join(dataDir, `${PREFIX}${number}`);
  for (;;) {
    const last = Math.max(0, ...(await numbersIn(dataDir)));
    const other = await livingHolder(pathOf(last));
    if (other) return other;
    try {
      await symlink(JSON.stringify(holder), pathOf(last + 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    const numbers = await numbersIn(dataDir);
    const isLast = Math.max(...numbers) === last + 1; // others may have taken higher ones
    const stale = numbers.filter((number) => (isLast ? number <= last : number === last + 1));
    await Promise.all(stale.map((number) => rm(pathOf(number), { force: true })));
    if (isLast) return lockAt(pathOf(last + 1), holder);
  }
}

/** Numbers only grow: a released link stays. */
function lockAt(path: string, holder: LockHolder) {
  const replace = async (content: string): Promise<void> => {
    await symlink(content, `${path}.new`);
    await rename(`${path}.new`, path);
  };
  return {
    publish: (port: number): Promise<void> => replace(JSON.stringify({ ...holder, port })),
    release: (): Promise<void> => replace('released').catch(() => undefined),
  };
}

async function livingHolder(path: string): Promise<LockHolder | undefined> {
  try {
    const holder = JSON.parse(await readlink(path)) as LockHolder;
    return (await startOf(holder.pid)) === holder.startedAt ? holder : undefined;
  } catch {
    return undefined;
  }
}

async function numbersIn(dataDir: string): Promise<number[]> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(PREFIX));
  return names.map((name) => Number(name.slice(PREFIX.length))).filter(Number.isSafeInteger);
}
