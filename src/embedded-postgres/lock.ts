import { readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { startOf } from './process.js';

/** The process that may use the cluster of a data folder, and where others may connect. */
export interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly port?: number;
}

const PREFIX = 'embedded.lock.';

/** Takes the right to use a data folder, or returns its living holder; see docs/performance.md#lock-of-the-data-folder */
export async function takeLock(dataDir: string): Promise<DataFolderLock | LockHolder> {
  const holder = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '' };
  for (;;) {
    const last = Math.max(0, ...(await numbersIn(dataDir)));
    const other = await livingHolder(pathOf(dataDir, last));
    if (other) return other;
    // Replacing the link of a dead holder would let two processes, both having seen it, remove each other's.
    const lock = new DataFolderLock(pathOf(dataDir, last + 1), holder);
    if (!(await lock.create())) continue;
    const numbers = await numbersIn(dataDir);
    // Others may have come and gone under higher numbers since we looked.
    const isLast = Math.max(...numbers) === last + 1;
    const stale = numbers.filter((number) => (isLast ? number <= last : number === last + 1));
    await Promise.all(stale.map((number) => rm(pathOf(dataDir, number), { force: true })));
    if (isLast) return lock;
  }
}

/** The link with the highest number. Numbers only ever grow, and a link is made together with its content. */
export class DataFolderLock {
  constructor(
    private readonly path: string,
    private readonly holder: LockHolder,
  ) {}

  /** Returns false where another process was first. */
  async create(): Promise<boolean> {
    return symlink(JSON.stringify(this.holder), this.path).then(
      () => true,
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      },
    );
  }

  async publish(port: number): Promise<void> {
    await this.replace(JSON.stringify({ ...this.holder, port }));
  }

  async release(): Promise<void> {
    await this.replace('released').catch(() => undefined); // the whole data folder may have been removed
  }

  private async replace(content: string): Promise<void> {
    await symlink(content, `${this.path}.new`);
    await rename(`${this.path}.new`, this.path);
  }
}

async function livingHolder(path: string): Promise<LockHolder | undefined> {
  try {
    const content = await readlink(path).catch(() => readFile(path, 'utf8')); // the release before wrote files
    const holder = JSON.parse(content) as LockHolder;
    return (await startOf(holder.pid)) === holder.startedAt ? holder : undefined;
  } catch {
    return undefined;
  }
}

async function numbersIn(dataDir: string): Promise<number[]> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(PREFIX));
  return names.map((name) => Number(name.slice(PREFIX.length))).filter(Number.isSafeInteger);
}

function pathOf(dataDir: string, number: number): string {
  return join(dataDir, `${PREFIX}${number}`);
}
