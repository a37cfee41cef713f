import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { GuardedProgram, type Site } from './guarded-program.js';

const PASSWORD_FILE = 'password';
const INITDB =
  'initdb --username=postgres --auth-local=reject --auth-host=scram-sha-256 ' +
  '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8';
// The second setting keeps the password out of errors.
const SINGLE = 'postgres --single -c exit_on_error=on -c log_min_error_statement=panic template1';

export async function urlOf(clusterDir: string, port: number): Promise<string> {
  const password = await readFile(join(clusterDir, PASSWORD_FILE), 'utf8');
  return `postgres://postgres:${password}@127.0.0.1:${port}/sales`;
}

/** Creates a cluster under another name first, so that a killed start leaves no unfinished one. */
export async function createCluster(site: Site): Promise<void> {
  const { clusterDir, account } = site;
  const prefix = `${clusterDir}.new-`;
  const draft = await mkdtemp(prefix);
  try {
    if (account) await chown(draft, account.uid, account.gid);
    await run(site, draft, INITDB);
    const password = randomBytes(24).toString('hex');
    // Without a server, no client can connect before the password is set.
    const statements = `ALTER ROLE postgres PASSWORD '${password}'\nCREATE DATABASE sales\n`;
    await run(site, draft, SINGLE, statements);
    const file = join(draft, PASSWORD_FILE);
    await writeFile(file, password, { mode: 0o600, flush: true });
    if (account) await chown(file, account.uid, account.gid);
    await rename(draft, clusterDir);
  } catch (error) {
    if (!existsSync(clusterDir)) throw error; // otherwise another process was faster
  } finally {
    const folder = dirname(prefix);
    for (const name of await readdir(folder)) {
      if (name.startsWith(basename(prefix)))
        await rm(join(folder, name), { recursive: true, force: true, maxRetries: 8 });
    }
  }
}

async function run(site: Site, folder: string, command: string, input?: string): Promise<void> {
  const tool = new GuardedProgram(site, folder, command.split(' '), input);
  if (await tool.exited) return;
  throw new Error(`PostgreSQL cannot be set up here (${await tool.reason()}): set DATABASE_URL.`);
}
