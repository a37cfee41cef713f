import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Postgres, PROGRAMS, query } from './postgres.mjs';
import { ROOT, run } from './programs.mjs';

const SETTINGS = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_connections=200',
  'max_prepared_transactions=200',
  'max_worker_processes=40',
  'citus.enable_statistics_collection=off',
  'citus.node_conninfo=sslmode=disable',
];

/** The coordinator of a Citus cluster, with its workers. */
export class CitusCluster extends Postgres {
  workers = [];

  static async create(folder, data, settings = []) {
    const cluster = await super.create(folder, data, [...SETTINGS, ...settings]);
    for (let worker = 1; worker <= 2; worker++) await cluster.startWorker();
    return cluster;
  }

  async addWorker() {
    const worker = await this.startWorker();
    await worker.query('CREATE EXTENSION citus');
    await this.query('SELECT citus_add_node($1, $2)', ['127.0.0.1', worker.port]);
  }

  async startWorker() {
    const folder = join(this.folder, `worker-${this.workers.length}`);
    const worker = await Postgres.create(folder, undefined, this.settings);
    this.workers.push(worker);
    return worker;
  }

  urls(database = 'sales') {
    return [this, ...this.workers].map((node) => node.url('postgres', database));
  }

  async migrate() {
    await joinNodes(this.urls());
    await super.migrate();
    distributeTables(this.url('sales_owner'));
  }

  async stop() {
    for (const node of this.workers) await node.stop();
    await super.stop();
  }
}

/** Makes a cluster of a database that is on all nodes, the coordinator's first. */
export async function joinNodes(urls) {
  for (const url of urls) await query(url, 'CREATE EXTENSION citus');
  const [coordinator, ...workers] = urls.map((url) => new URL(url));
  const { hostname, port } = coordinator;
  await query(coordinator, 'SELECT citus_set_coordinator_host($1, $2)', [hostname, port]);
  for (const worker of workers)
    await query(coordinator, 'SELECT citus_add_node($1, $2)', [worker.hostname, worker.port]);
}

/** Runs citus.sql, with fewer shards. */
export function distributeTables(ownerUrl) {
  const file = join(ROOT, 'src/sales/uploads/distributed/citus.sql');
  const input = readFileSync(file, 'utf8').replace('shard_count := 32', 'shard_count := 8');
  const env = { ...process.env, PATH: `${PROGRAMS}:${process.env.PATH}` };
  run('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', ownerUrl], { input, env });
}

/** The superuser's addresses of the nodes, the coordinator's first. */
export async function findNodes(coordinatorUrl) {
  const workers = await query(
    coordinatorUrl,
    `SELECT nodename AS hostname, nodeport AS port FROM pg_dist_node
     WHERE groupid > 0 AND noderole = 'primary' AND isactive ORDER BY groupid`,
  );
  return [{}, ...workers].map(
    (node) => Object.assign(new URL(coordinatorUrl), { ...node, pathname: '/postgres' }).href,
  );
}
