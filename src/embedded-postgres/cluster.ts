import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GuardedProgram, type Site } from './guarded-program.js';
import { giveTo } from './operating-system.js';

const MAJOR = '18';
const DRAFT = 'postgres.new-';
const SYNC_METHOD = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];

export async function ensureCluster(site: Site): Promise<void> {
  const drafts = (await readdir(site.dataDir)).filter((name) => name.startsWith(DRAFT));
  for (const draft of drafts) await removeDraft(join(site.dataDir, draft));
  const major = await readFile(join(site.clusterDir, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (major === undefined) return createCluster(site);
  if (major.trim() !== MAJOR)
    throw new Error(
      `The database in ${site.clusterDir} was made by PostgreSQL ${major.trim()}, and this is PostgreSQL ${MAJOR}: ` +
        'dump it with the other release and load it into a new folder.',
    );
  await giveTo(site.account, site.clusterDir);
  if ((await readPassword(site.dataDir)) === undefined) await setPassword(site, site.clusterDir, 'fsync=on');
}

export async function urlOf(dataDir: string, port: number): Promise<string> {
  return `postgres://postgres:${await readPassword(dataDir)}@127.0.0.1:${port}/sales`;
}

async function createCluster(site: Site): Promise<void> {
  const draft = await mkdtemp(join(site.dataDir, DRAFT));
  try {
    await giveTo(site.account, draft);
    await runTool(site, draft, 'initdb', [
      ...['--no-sync', '--no-instructions', '--username=postgres', '--encoding=UTF8'],
      ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...['--auth-local=reject', '--auth-host=scram-sha-256'],
    ]);
    await setPassword(site, draft, 'fsync=off', 'CREATE DATABASE sales');
    await runTool(site, draft, 'initdb', ['--sync-only', ...SYNC_METHOD]);
    await rename(draft, site.clusterDir);
  } finally {
    await removeDraft(draft);
  }
}

/** Without a server: no client can connect before the password is set. */
async function setPassword(site: Site, folder: string, setting: string, statement = ''): Promise<void> {
  const password = randomBytes(24).toString('hex');
  // the last setting keeps the password out of errors
  const settings = [setting, 'exit_on_error=on', 'log_min_error_statement=panic'].flatMap((each) => ['-c', each]);
  const input = `ALTER ROLE postgres PASSWORD '${password}'\n${statement}\n`;
  await runTool(site, folder, 'postgres', ['--single', ...settings, 'template1'], input);
  const draft = `${passwordFile(site.dataDir)}.new`;
  await rm(draft, { force: true }); // mode applies to new files only
  await writeFile(draft, JSON.stringify({ password }), { mode: 0o600, flag: 'wx', flush: true });
  await giveTo(site.account, draft);
  await rename(draft, passwordFile(site.dataDir));
}

async function readPassword(dataDir: string): Promise<string | undefined> {
  const file = passwordFile(dataDir);
  return existsSync(file) ? /"password":"(\w+)"/.exec(await readFile(file, 'utf8'))?.[1] : undefined;
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'embedded.json');
}

async function removeDraft(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true, maxRetries: 8, retryDelay: 50 });
}

async function runTool(site: Site, folder: string, name: string, args: string[], input?: string): Promise<void> {
  const tool = new GuardedProgram(site, folder, name, args, input);
  if (!(await tool.exited)) throw new Error(`PostgreSQL's ${name} failed: ${await tool.reason()}`);
}
