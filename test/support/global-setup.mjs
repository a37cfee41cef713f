import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const root = join(import.meta.dirname, '../..');

/** As in production: the owner migrates, and the service connects as another role. Each role's name is its password. */
const ROLES = `
  CREATE ROLE sales_owner LOGIN PASSWORD 'sales_owner';
  CREATE ROLE sales_service LOGIN PASSWORD 'sales_service';
  GRANT pg_monitor, pg_signal_backend TO sales_owner; -- tests observe and end the service's connections
`;
const TEMPLATE = 'template_migrated';

/** Starts one PostgreSQL for the whole run, with a migrated database that every test file clones. */
export default async function setUp() {
  buildWhereStale();
  const { startEmbeddedPostgres } = await import('../../dist/src/embedded-postgres/embedded-postgres.js');
  const { AppConfig } = await import('../../dist/src/config/app-config.js');
  const { migrate } = await import('../../dist/src/database/migrate.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'sales-upload-test-'));
  // Nothing here outlives the run, so nothing needs to reach the disk.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };
  const postgres = await startEmbeddedPostgres(dataDir, { settings });
  globalThis.testPostgres = { dataDir, postgres };
  process.env.TEST_POSTGRES_URL = postgres.url;
  process.env.TEST_RUN_DIR = dataDir;
  await run(postgres.url, ROLES);
  await run(postgres.url, `CREATE DATABASE ${TEMPLATE} OWNER sales_owner`);
  const owner = new URL(postgres.url);
  Object.assign(owner, { pathname: `/${TEMPLATE}`, username: 'sales_owner', password: 'sales_owner' });
  await migrate(Object.assign(new AppConfig(), { DATABASE_URL: owner.href, RESPONSE_TIMEOUT_MS: 120_000 }));
  await run(owner.href, await readFile(new URL('../../docs/roles.sql', import.meta.url), 'utf8'));
}

async function run(url, sql) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Compiles what has changed; some tests run dist. Type errors are shown, and leave the tests that they do not concern. */
function buildWhereStale() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-b', 'tsconfig.build.json'], { cwd: root });
  if (status !== 0) process.stderr.write(`\nThe build in dist/ has type errors:\n${stdout}\n`);
  const page = spawnSync(process.execPath, [join(root, 'web/build.mjs')], { encoding: 'utf8' });
  if (page.status !== 0) process.stderr.write(`\nThe page was not built:\n${page.stderr}\n`);
}
