import { randomBytes, randomInt } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToOwnerOf } from './site.js';

/** What a client needs to get in. Kept beside the cluster, readable by its owner alone. */
export interface Access {
  readonly port: number;
  readonly password: string;
}

export const DATABASE = 'sales';
export const SUPERUSER = 'postgres';

export function newAccess(): Access {
  return { port: randomPort(), password: randomBytes(24).toString('hex') };
}

/** Below the range from which systems give ports to outgoing connections, which would be in the way of a restart. */
export function randomPort(): number {
  return randomInt(20_000, 30_000);
}

export function urlOf({ port, password }: Access): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/** Undefined when the file is not there or is not complete. */
export async function readAccess(dataDir: string): Promise<Access | undefined> {
  try {
    const { port, password } = JSON.parse(await readFile(fileOf(dataDir), 'utf8')) as Partial<Access>;
    return port && password ? { port, password } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function saveAccess(dataDir: string, access: Access): Promise<void> {
  const draft = `${fileOf(dataDir)}.new`;
  await rm(draft, { force: true }); // a mode counts only for a file that is made
  await writeFile(draft, JSON.stringify(access), { mode: 0o600, flag: 'wx', flush: true });
  await giveToOwnerOf(dataDir, draft);
  await rename(draft, fileOf(dataDir));
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'embedded.json');
}
