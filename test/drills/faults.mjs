import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { logIn } from './load.mjs';
import { FAULT_MS } from './postgres.mjs';
import { ROOT } from './programs.mjs';
import { CALM_MS } from './scene.mjs';

async function takeStandbyAway({ postgres }) {
  const setStandby = async (name) => {
    await postgres.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await postgres.query('SELECT pg_reload_conf()');
  };
  await setStandby('absent');
  await delay(20_000);
  const [{ count }] = await postgres.query(
    `SELECT count(*)::integer FROM pg_stat_activity WHERE usename = 'sales_service'`,
  );
  await setStandby('');
  assert.ok(count <= 20, `${count} connections of one process with a pool of 8`);
}

async function fillDataDisk({ postgres }, { url }) {
  const file = join(postgres.data, 'filling');
  spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M']); // until nothing more fits
  await delay(FAULT_MS);
  const { status } = await fetch(`${url}/health/ready`);
  rmSync(file);
  assert.equal(status, 200, `/health/ready responded ${status}`);
}

/** Two instances, one after the other, to this release and to the previous one again. */
async function upgradeAndBack(scene) {
  const { postgres, previous } = scene;
  const start = () => scene.startService({ SHUTDOWN_DELAY_MS: '500' }, { root: previous });
  const services = [await start(), await start()];
  await scene.begin(services);
  await postgres.migrate();
  for (const root of [ROOT, previous])
    for (const service of services) {
      await service.stop();
      await service.start(root);
      await delay(1000);
    }
  await delay(CALM_MS);
  assert.deepEqual(scene.load.other, {}, 'uploads were rejected');
}

/** While a node is away the others serve their restaurants, and the coordinator logins. */
async function serveWithout({ load }, service) {
  const before = load.acknowledged.size;
  const until = performance.now() + FAULT_MS;
  while (performance.now() < until) {
    // Busy hash threads are not a fault.
    await logIn(service, 'till').catch(({ message }) => assert.match(message, / 503 /));
    await delay(500);
  }
  assert.ok(load.acknowledged.size > before, 'uploads to the other worker were not saved');
}

async function addWorker(cluster) {
  await cluster.addWorker();
  const rebalance = `rebalance_table_shards('sales_days', shard_transfer_mode := 'force_logical')`;
  await cluster.query(`SELECT ${rebalance}`);
}

/** Moves the shards of six restaurants to another worker each. */
async function moveShards(cluster) {
  const move = `
    SELECT citus_move_shard_placement(p.shardid, a.nodename, a.nodeport, b.nodename, b.nodeport, $2::citus.shard_transfer_mode)
    FROM pg_dist_placement AS p
    JOIN pg_dist_node AS a USING (groupid)
    JOIN pg_dist_node AS b ON b.groupid <> p.groupid AND b.shouldhaveshards
    WHERE p.shardid = get_shard_id_for_distribution_column('sales_days', $1::integer)
    LIMIT 1`;
  for (let restaurant = 1; restaurant <= 6; restaurant++)
    await cluster.query(move, [restaurant, ['block_writes', 'force_logical'][restaurant % 2]]);
}

async function freezeWorker(scene) {
  await scene.underLoad((service) =>
    scene.postgres.workers[0].freeze(() => serveWithout(scene, service)),
  );
  const { slowestMs } = scene.load;
  assert.ok(slowestMs < 5000, `a response took ${Math.round(slowestMs)} ms`);
}

const killPostgres = (scene) => scene.underLoad(() => scene.postgres.kill());
const freezePostgres = (scene) => scene.underLoad(() => scene.postgres.freeze());
const killWorker = (scene) =>
  scene.underLoad((one) => scene.postgres.workers[0].kill(() => serveWithout(scene, one)));
const during = (fault) => (scene) => scene.underLoad((service) => fault(scene, service));

/** Changes the cluster, during which every upload must succeed. */
const unnoticed = (change) => async (scene) => {
  await scene.underLoad(() => change(scene.postgres));
  const { other, none } = scene.load;
  assert.deepEqual([other, none], [{}, 0], 'uploads were not served all the time');
};

/** Name, needs, what happens, and how. */
export const FAULTS = [
  ['postgres-killed', [], 'kill -9 of PostgreSQL, away for 8 seconds', killPostgres],
  ['postgres-frozen', [], 'SIGSTOP of PostgreSQL for 8 seconds', freezePostgres],
  ['no-standby', [], 'a synchronous standby is away for 20 seconds', during(takeStandbyAway)],
  ['data-disk-full', ['small data disk'], 'for 8 seconds; it stays ready', during(fillDataDisk)],
  ['rolling-upgrade', ['previous'], 'to this release and back, one by one', upgradeAndBack],
  ['citus-worker-added', ['citus'], 'a third worker takes its shards', unnoticed(addWorker)],
  ['citus-shards-moved', ['citus'], 'blocking writes and logically', unnoticed(moveShards)],
  ['citus-worker-killed', ['citus'], 'kill -9 of a worker, away for 8 seconds', killWorker],
  ['citus-worker-frozen', ['citus'], 'SIGSTOP of a worker for 8 seconds', freezeWorker],
  ['citus-coordinator-killed', ['citus'], 'kill -9, away for 8 seconds', killPostgres],
];
