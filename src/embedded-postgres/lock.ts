import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcess } from './process.js';

/** The process that may use the cluster of a data folder, and what it is. */
export interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly role: 'service' | 'command';
}

export type LockAttempt =
  | { readonly taken: true; readonly release: () => Promise<void> }
  | { readonly taken: false; readonly holder: LockHolder };

const PREFIX = 'embedded.lock.';

/**
 * Tries to become the one holder of the data folder, and tells who it is when another process lives that is.
 *
 * The lock is the file with the highest number. A holder that was killed leaves its file; whoever wants to follow it
 * makes the next number, which succeeds for exactly one. Removing the old file and making it anew would let two
 * processes, both having seen the dead holder, remove each other's.
 */
export async function tryLock(dataDir: string, role: LockHolder['role']): Promise<LockAttempt> {
  for (;;) {
    const last = await highestNumber(dataDir);
    const holder = await livingHolder(fileOf(dataDir, last));
    if (holder) return { taken: false, holder };
    if (!(await makeFile(dataDir, last + 1, role))) continue;
    // We may have looked long ago, and others have come and gone since then under higher numbers.
    if ((await highestNumber(dataDir)) === last + 1) return taken(dataDir, last + 1);
    await rm(fileOf(dataDir, last + 1), { force: true });
  }
}

async function taken(dataDir: string, number: number): Promise<LockAttempt> {
  const files = (await readdir(dataDir)).filter((name) => name.startsWith(PREFIX) && name !== `${PREFIX}${number}`);
  await Promise.all(files.map((name) => rm(join(dataDir, name), { force: true })));
  // Emptied, not removed: numbers must only ever grow. The whole data folder may have been removed, though.
  return { taken: true, release: () => truncate(fileOf(dataDir, number)).catch(() => undefined) };
}

/** Linked into its place when it is complete, so that nobody reads half a lock. False when the number is gone. */
async function makeFile(dataDir: string, number: number, role: LockHolder['role']): Promise<boolean> {
  const draft = join(dataDir, `${PREFIX}${randomUUID()}`);
  const startedAt = (await findProcess(process.pid))?.startedAt ?? '';
  const holder: LockHolder = { pid: process.pid, startedAt, role };
  await writeFile(draft, JSON.stringify(holder), { flag: 'wx' });
  try {
    await link(draft, fileOf(dataDir, number));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return false; // ENOENT: the winner has swept our draft away
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function livingHolder(file: string): Promise<LockHolder | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const holder = parse(text);
  if (!holder) return undefined;
  const facts = await findProcess(holder.pid);
  return facts && facts.startedAt === holder.startedAt ? holder : undefined;
}

function parse(text: string): LockHolder | undefined {
  try {
    return JSON.parse(text) as LockHolder;
  } catch {
    return undefined; // released, or cut off by a power failure: no living process holds it
  }
}

async function highestNumber(dataDir: string): Promise<number> {
  const numbers = (await readdir(dataDir)).map((name) =>
    name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : 0,
  );
  return Math.max(0, ...numbers.filter(Number.isSafeInteger));
}

function fileOf(dataDir: string, number: number): string {
  return join(dataDir, `${PREFIX}${number}`);
}
