import { randomUUID } from 'node:crypto';
import { readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { startOf } from './operating-system.js';

/** The process that holds a lock, and the port on which others may use its database. */
export interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly port?: number;
}

export type DataFolderLock = ReturnType<typeof lockAt>;

/** Locks a data folder or returns its holder; see docs/performance.md#lock-of-the-data-folder */
export async function takeLock(dataDir: string): Promise<DataFolderLock | LockHolder> {
  const path = join(dataDir, 'embedded.lock');
  const holder = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '' };
  for (;;) {
    try {
      await symlink(JSON.stringify(holder), path);
      return lockAt(path, holder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const other = await livingHolder(path);
    if (other) return other;
    await removeDead(path);
  }
}

function lockAt(path: string, holder: LockHolder) {
  return {
    publish: async (port: number): Promise<void> => {
      const draft = `${path}.${randomUUID()}`;
      await symlink(JSON.stringify({ ...holder, port }), draft);
      await rename(draft, path);
    },
    release: (): Promise<void> => rm(path, { force: true }),
  };
}

/** Removes the lock of an ended process; one that another process has just taken is put back. */
async function removeDead(path: string): Promise<void> {
  const removed = `${path}.${randomUUID()}`;
  await rename(path, removed).catch(() => undefined); // another process was faster
  if (await livingHolder(removed)) await rename(removed, path);
  else await rm(removed, { force: true });
}

async function livingHolder(path: string): Promise<LockHolder | undefined> {
  try {
    const holder = JSON.parse(await readlink(path)) as LockHolder;
    return (await startOf(holder.pid)) === holder.startedAt ? holder : undefined;
  } catch {
    return undefined;
  }
}
