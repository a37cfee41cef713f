import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GuardedProgram, type Site } from './guarded-program.js';
import { giveTo } from './operating-system.js';

const MAJOR = '18';
const PASSWORD_FILE = 'embedded.json';
const REMOVAL = { recursive: true, force: true, maxRetries: 8, retryDelay: 50 };
const SYNC_METHOD = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];

/** Creates the cluster if there is none. */
export async function ensureCluster(site: Site): Promise<void> {
  const major = await readFile(join(site.clusterDir, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (major === undefined) return createCluster(site);
  if (major.trim() !== MAJOR)
    throw new Error(
      `The database in ${site.clusterDir} was made by PostgreSQL ${major.trim()}, and this is PostgreSQL ${MAJOR}: ` +
        'dump it with the other release and load it into a new folder.',
    );
  await giveTo(site.account, site.clusterDir);
}

/** Returns the address of a cluster that listens on a port. */
export async function urlOf(dataDir: string, port: number): Promise<string> {
  const file = await readFile(join(dataDir, PASSWORD_FILE), 'utf8');
  const { password } = JSON.parse(file) as { password: string };
  return `postgres://postgres:${password}@127.0.0.1:${port}/sales`;
}

/** Creates a cluster under another name first, so that a killed start leaves no half of one. */
async function createCluster(site: Site): Promise<void> {
  const draft = `${site.clusterDir}.new`;
  await rm(draft, REMOVAL);
  try {
    await mkdir(draft);
    await giveTo(site.account, draft);
    await runTool(site, draft, 'initdb', [
      '--no-sync',
      '--no-instructions',
      '--username=postgres',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--auth-local=reject',
      '--auth-host=scram-sha-256',
    ]);
    const password = randomBytes(24).toString('hex');
    // Without a server, no client can connect before the password is set. The last setting keeps it
    // out of errors.
    const settings = ['fsync=off', 'exit_on_error=on', 'log_min_error_statement=panic'];
    const args = ['--single', ...settings.flatMap((each) => ['-c', each]), 'template1'];
    const statements = `ALTER ROLE postgres PASSWORD '${password}'\nCREATE DATABASE sales\n`;
    await runTool(site, draft, 'postgres', args, statements);
    const file = join(site.dataDir, PASSWORD_FILE);
    await rm(file, { force: true }); // the mode applies to new files only
    await writeFile(file, JSON.stringify({ password }), { mode: 0o600, flush: true });
    await giveTo(site.account, file);
    await runTool(site, draft, 'initdb', ['--sync-only', ...SYNC_METHOD]);
    await rename(draft, site.clusterDir);
  } finally {
    await rm(draft, REMOVAL);
  }
}

async function runTool(
  site: Site,
  folder: string,
  name: string,
  args: string[],
  input?: string,
): Promise<void> {
  const tool = new GuardedProgram(site, folder, name, args, input);
  if (!(await tool.exited)) throw new Error(`PostgreSQL's ${name} failed: ${await tool.reason()}`);
}
