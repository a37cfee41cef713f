import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, lchown, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DATABASE, newAccess, readAccess, saveAccess, SUPERUSER, type Access } from './access.js';
import { EmbeddedPostgresError, reasonIn } from './embedded-postgres.errors.js';
import { ownerOf, ownName, spawnOptions, type Account, type Site } from './site.js';

const MAJOR = '18';
const DRAFT = 'postgres.new-';
/** One call for the whole file system where there is one, instead of one for each of a thousand files. */
const SYNC_METHOD = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];
const TOOL_TIMEOUT_MS = 120_000;

/** Makes the cluster unless it is there, and mends what a restored copy may lack. */
export async function ensureCluster(site: Site): Promise<{ access: Access; created: boolean }> {
  await removeDrafts(site.dataDir);
  const major = await majorOf(site.clusterDir);
  if (major === undefined) return { access: await createCluster(site), created: true };
  if (major !== MAJOR)
    throw new EmbeddedPostgresError(
      `The database in ${site.clusterDir} was made by PostgreSQL ${major}, and this is PostgreSQL ${MAJOR}: ` +
        'dump it with the other release and load it into a new folder.',
    );
  if (site.account && (await ownerOf(site.clusterDir))?.uid === 0) await giveTree(site.clusterDir, site.account);
  return { access: (await readAccess(site.dataDir)) ?? (await resetAccess(site)), created: false };
}

/**
 * In a folder aside that gets its name when everything in it is done and on the disk, so that a start killed half-way
 * leaves no half cluster. Nothing is synced before the end, which makes it fast.
 */
async function createCluster(site: Site): Promise<Access> {
  const access = newAccess();
  const draft = await mkdtemp(join(site.dataDir, DRAFT));
  try {
    if (site.account) await chown(draft, site.account.uid, site.account.gid);
    await runProgram(site, draft, 'initdb', [
      ...['--no-sync', '--no-instructions', `--username=${SUPERUSER}`, '--encoding=UTF8'],
      ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...['--auth-local=reject', '--auth-host=scram-sha-256'],
    ]);
    await runStatements(site, draft, [passwordStatement(access), `CREATE DATABASE ${DATABASE}`], 'fsync=off');
    await runProgram(site, draft, 'initdb', ['--sync-only', ...SYNC_METHOD]);
    await saveAccess(site.dataDir, access);
    await rename(draft, site.clusterDir);
    await syncFolder(site.dataDir);
    return access;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A restored cluster without its access file is as good as ever: it gets a new password. */
async function resetAccess(site: Site): Promise<Access> {
  const access = newAccess();
  await runStatements(site, site.clusterDir, [passwordStatement(access)], 'fsync=on');
  await saveAccess(site.dataDir, access);
  return access;
}

function passwordStatement({ password }: Access): string {
  return `ALTER ROLE ${SUPERUSER} PASSWORD '${password}'`;
}

/** Without a server, as its superuser: nobody can connect meanwhile. */
async function runStatements(site: Site, folder: string, statements: string[], setting: string): Promise<void> {
  // The last one keeps the password out of an error's text.
  const settings = [setting, 'exit_on_error=on', 'log_min_error_statement=panic'].flatMap((each) => ['-c', each]);
  await runProgram(site, folder, 'postgres', ['--single', ...settings, 'template1'], statements.join('\n') + '\n');
}

async function runProgram(site: Site, folder: string, name: string, args: string[], input = ''): Promise<void> {
  const options = spawnOptions(site, folder);
  const child = spawn(join(site.programs, 'bin', name), args, {
    ...options,
    env: { ...options.env, PGDATA: ownName(site, folder) },
    timeout: TOOL_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    stdio: 'pipe', // standard output too: when we are killed, initdb ends at its next word
  });
  child.stdout.resume();
  child.stdin.on('error', () => undefined); // it ended without reading all: its exit code tells
  child.stdin.end(input);
  const [, output] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  if (child.exitCode !== 0)
    throw new EmbeddedPostgresError(`PostgreSQL's ${name} failed: ${child.signalCode ?? reasonIn(output)}`);
}

/** Undefined when there is no cluster yet. */
async function majorOf(clusterDir: string): Promise<string | undefined> {
  const version = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version !== undefined) return version.trim();
  const entries = await readdir(clusterDir).catch(() => []);
  if (entries.length === 0) return undefined;
  throw new EmbeddedPostgresError(`The folder ${clusterDir} holds something else than a PostgreSQL cluster.`);
}

/** What first starts that were killed have left; an initdb of theirs may still be writing, though not for long. */
async function removeDrafts(dataDir: string): Promise<void> {
  const drafts = (await readdir(dataDir)).filter((name) => name.startsWith(DRAFT));
  const patiently = { recursive: true, force: true, maxRetries: 8, retryDelay: 50 };
  await Promise.allSettled(drafts.map((name) => rm(join(dataDir, name), patiently)));
}

/** After root copied or restored the files; PostgreSQL wants to own them. */
async function giveTree(folder: string, { uid, gid }: Account): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), uid, gid);
  await chown(folder, uid, gid);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
