import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GuardedProgram, type Site } from './guarded-program.js';
import { giveTo } from './operating-system.js';

const MAJOR = '18';
const PASSWORD_FILE = 'embedded.json';
const REMOVAL = { recursive: true, force: true, maxRetries: 8, retryDelay: 50 };
const SYNC_METHOD = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];

export async function ensureCluster(site: Site): Promise<void> {
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
  const draft = `${site.clusterDir}.new`;
  await rm(draft, REMOVAL); // of a start that was killed
  try {
    await mkdir(draft);
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
    await rm(draft, REMOVAL);
  }
}

/** Without a server: no client can connect before the password is set. */
async function setPassword(site: Site, folder: string, setting: string, statement = ''): Promise<void> {
  const password = randomBytes(24).toString('hex');
  // the last setting keeps the password out of errors
  const settings = [setting, 'exit_on_error=on', 'log_min_error_statement=panic'].flatMap((each) => ['-c', each]);
  const input = `ALTER ROLE postgres PASSWORD '${password}'\n${statement}\n`;
  await runTool(site, folder, 'postgres', ['--single', ...settings, 'template1'], input);
  const file = join(site.dataDir, PASSWORD_FILE);
  const draft = `${file}.new`;
  await rm(draft, { force: true }); // mode applies to new files only
  await writeFile(draft, JSON.stringify({ password }), { mode: 0o600, flag: 'wx', flush: true });
  await giveTo(site.account, draft);
  await rename(draft, file);
}

async function readPassword(dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, PASSWORD_FILE);
  return existsSync(file) ? /"password":"(\w+)"/.exec(await readFile(file, 'utf8'))?.[1] : undefined;
}

async function runTool(site: Site, folder: string, name: string, args: string[], input?: string): Promise<void> {
  const tool = new GuardedProgram(site, folder, name, args, input);
  if (!(await tool.exited)) throw new Error(`PostgreSQL's ${name} failed: ${await tool.reason()}`);
}
