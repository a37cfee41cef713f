import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Postgres, PROGRAMS } from './postgres.mjs';
import { ROOT } from './process.mjs';

const SETTINGS = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_connections=200',
  'max_prepared_transactions=200',
  'max_worker_processes=40',
  'citus.enable_statistics_collection=off',
  'citus.node_conninfo=sslmode=disable',
];

export const CITUS_IS_INSTALLED = existsSync(join(PROGRAMS, '../lib/citus.so'));

/** The coordinator of a Citus cluster, with its workers. */
export class CitusCluster extends Postgres {
  workers = [];

  static async create(folder, data, settings = []) {
    const cluster = await super.create(folder, data, [...SETTINGS, ...settings]);
    await Promise.all([cluster.startWorker(), cluster.startWorker()]);
    return cluster;
  }

  async addWorker() {
    const worker = await this.startWorker();
    await worker.query('CREATE EXTENSION citus');
    await this.query('SELECT citus_add_node($1, $2)', 'sales', ['127.0.0.1', worker.port]);
  }

  async startWorker() {
    const folder = join(this.folder, `worker-${this.workers.length}`);
    const starting = Postgres.create(folder, undefined, this.settings);
    const index = this.workers.push(undefined) - 1;
    return (this.workers[index] = await starting);
  }

  urls(database = 'sales') {
    return [this, ...this.workers].map((node) => node.url('postgres', database));
  }

  async migrate(cli, root) {
    await joinNodes(this.urls());
    await super.migrate(cli, root);
    distributeTables(this.url('sales_owner'));
  }

  async stop() {
    for (const node of this.workers) await node.stop();
    await super.stop();
  }
}

/** Makes a cluster of a database that is on all nodes, the coordinator's first. */
export async function joinNodes(urls) {
  for (const url of urls) await run(url, 'CREATE EXTENSION citus');
  const [coordinator, ...workers] = urls.map((url) => new URL(url));
  await run(coordinator, 'SELECT citus_set_coordinator_host($1, $2)', [
    coordinator.hostname,
    coordinator.port,
  ]);
  for (const { hostname, port } of workers)
    await run(coordinator, 'SELECT citus_add_node($1, $2)', [hostname, port]);
}

/** Runs citus.sql, with fewer shards. */
export function distributeTables(ownerUrl) {
  const file = join(ROOT, 'src/sales/uploads/distributed/citus.sql');
  const input = readFileSync(file, 'utf8').replace('shard_count := 32', 'shard_count := 8');
  const env = { ...process.env, PATH: `${PROGRAMS}:${process.env.PATH}` };
  const args = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', ownerUrl];
  const { status, stderr } = spawnSync('psql', args, { input, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`citus.sql failed: ${stderr}`);
}

/** The superuser's addresses of the nodes, the coordinator's first. */
export async function findNodes(coordinatorUrl) {
  const workers = await run(
    coordinatorUrl,
    `SELECT nodename AS hostname, nodeport AS port FROM pg_dist_node
     WHERE groupid > 0 AND noderole = 'primary' AND isactive ORDER BY groupid`,
  );
  return [{}, ...workers].map(
    (node) => Object.assign(new URL(coordinatorUrl), { ...node, pathname: '/postgres' }).href,
  );
}

async function run(url, sql, values) {
  const client = new pg.Client(String(url));
  await client.connect();
  return client.query(sql, values).then(({ rows }) => rows).finally(() => client.end()); // prettier-ignore
}
