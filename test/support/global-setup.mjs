import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { CitusCluster, distributeTables, findNodes, joinNodes } from '../drills/citus-cluster.mjs';

const root = join(import.meta.dirname, '../..');

/** As in production: the owner migrates, and the service connects as another role. Each role's name is its password. */
const ROLES = `
  DO $$ BEGIN
    CREATE ROLE sales_owner; CREATE ROLE sales_service;
  EXCEPTION WHEN duplicate_object THEN NULL; END $$;
  ALTER ROLE sales_owner LOGIN PASSWORD 'sales_owner';
  ALTER ROLE sales_service LOGIN PASSWORD 'sales_service' CONNECTION LIMIT -1;
  GRANT pg_monitor, pg_signal_backend TO sales_owner; -- tests observe and end the service's connections
`;
const TEMPLATE = 'template_migrated';

/** Nothing here outlives the run, so nothing needs to reach the disk. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Starts one PostgreSQL or Citus cluster for the whole run, with a migrated database that every test file clones. */
export default async function setUp() {
  buildWhereStale();
  const dataDir = await mkdtemp(join(tmpdir(), 'sales-upload-test-'));
  const { nodes, stop } = await start(dataDir);
  globalThis.stopTestPostgres = async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  process.env.TEST_POSTGRES_URL = nodes[0];
  process.env.TEST_NODE_URLS = nodes.join(' ');
  process.env.TEST_RUN_DIR = dataDir;
  for (const url of nodes) {
    await run(url, ROLES);
    await run(url, `DROP DATABASE IF EXISTS ${TEMPLATE}`);
    await run(url, `CREATE DATABASE ${TEMPLATE} OWNER sales_owner`);
  }
  await migrateTemplate(nodes);
}

/** The cluster of CITUS_URL, a new one of the programs in CITUS_BIN, or else the embedded PostgreSQL. */
async function start(dataDir) {
  const { CITUS_URL, CITUS_BIN } = process.env;
  if (CITUS_URL) return { nodes: await findNodes(CITUS_URL), stop: () => undefined };
  if (CITUS_BIN) {
    const cluster = await CitusCluster.create(dataDir, undefined, Object.entries(FAST).map((setting) => setting.join('='))); // prettier-ignore
    return { nodes: cluster.urls('postgres'), stop: () => cluster.stop() };
  }
  const { startEmbeddedPostgres } = await import('../../dist/src/embedded-postgres/embedded-postgres.js');
  const postgres = await startEmbeddedPostgres(dataDir, { settings: { ...FAST, max_connections: '300' } });
  return { nodes: [postgres.url], stop: () => postgres.stop() };
}

async function migrateTemplate(nodes) {
  const { AppConfig } = await import('../../dist/src/config/app-config.js');
  const { migrate } = await import('../../dist/src/database/migrate.js');
  const template = nodes.map((url) => Object.assign(new URL(url), { pathname: `/${TEMPLATE}` }));
  const owner = Object.assign(new URL(template[0]), { username: 'sales_owner', password: 'sales_owner' }).href;
  const isCluster = nodes.length > 1;
  if (isCluster) await joinNodes(template);
  await migrate(Object.assign(new AppConfig(), { DATABASE_URL: owner, RESPONSE_TIMEOUT_MS: 120_000 }));
  if (isCluster) distributeTables(owner);
  await run(owner, await readFile(join(root, 'docs/roles.sql'), 'utf8'));
  if (isCluster) for (const url of nodes) await closeTemplate(url);
}

/** Citus's own connections would keep it from being cloned. */
async function closeTemplate(url) {
  await run(url, `ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
  await run(url, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${TEMPLATE}'`);
}

async function run(url, sql) {
  const client = new pg.Client(String(url));
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
