import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CitusCluster, distributeTables, findNodes, joinNodes } from '../drills/citus-cluster.mjs';

const root = join(import.meta.dirname, '../..');

/** Finds the PostgreSQL of test servers, or starts a Citus cluster, for the whole run. */
export default async function setUp() {
  process.env.TZ ??= 'Asia/Singapore'; // what goes by the zone of the machine fails
  if (process.env.TEST_POSTGRES === 'none') return; // for npm run check:rules
  buildWhereStale();
  const folder = await mkdtemp(join(tmpdir(), 'sales-upload-test-'));
  const { findTestPostgres } = await import('../../dist/src/testing/test-postgres.js');
  const cluster = await findCluster(folder);
  const nodes = cluster?.nodes ?? [await findTestPostgres()];
  globalThis.tearDownTests = async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  process.env.TEST_NODE_URLS = nodes.join(' ');
  process.env.TEST_RUN_DIR = folder;
  if (cluster) await migrateCluster(nodes);
}

/** The cluster of CITUS_URL, or a new one of the programs in CITUS_BIN. */
async function findCluster(folder) {
  const { CITUS_URL, CITUS_BIN } = process.env;
  if (CITUS_URL) return { nodes: await findNodes(CITUS_URL), stop: () => undefined };
  if (!CITUS_BIN) return undefined;
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const cluster = await CitusCluster.create(folder, undefined, settings);
  return { nodes: cluster.urls('postgres'), stop: () => cluster.stop() };
}

async function migrateCluster(nodes) {
  const { configWith } = await import('../../dist/src/config/config.js');
  const { migrate } = await import('../../dist/src/database/migrate.js');
  const { createTemplate, execute, TEMPLATE } =
    await import('../../dist/src/testing/test-database.js');
  const [owner] = await Promise.all(nodes.map(createTemplate));
  await joinNodes(nodes.map((url) => Object.assign(new URL(url), { pathname: `/${TEMPLATE}` })));
  await migrate(configWith({ DATABASE_URL: owner, RESPONSE_TIMEOUT_MS: 120_000 }));
  distributeTables(owner);
  await execute(owner, await readFile(join(root, 'docs/roles.sql'), 'utf8'));
  for (const url of nodes) {
    // Citus's own connections would keep it from being cloned.
    await execute(url, `ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
    await execute(
      url,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${TEMPLATE}'`,
    );
  }
}

/** Compiles what has changed, as some tests run dist; the run ends at once if it does not compile. */
function buildWhereStale() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  build('The build in dist/ has type errors', [tsc, '-b', 'tsconfig.build.json']);
  build('The page was not built', [join(root, 'web/build.mjs')]);
}

function build(failure, command) {
  const options = { cwd: root, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  if (status !== 0) throw new Error(`${failure}:\n${stdout}${stderr}`);
}
