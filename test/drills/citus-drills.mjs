import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { logIn } from './load.mjs';
import { FAULT_MS } from './postgres.mjs';

const MAX_RESPONSE_MS = 5000;
const MODES = ['block_writes', 'force_logical'];

/** Moves the shard of a restaurant to another worker. */
const MOVE = `
  SELECT citus_move_shard_placement(p.shardid, a.nodename, a.nodeport, b.nodename, b.nodeport, $2::citus.shard_transfer_mode)
  FROM pg_dist_placement AS p
  JOIN pg_dist_node AS a USING (groupid)
  JOIN pg_dist_node AS b ON b.groupid <> p.groupid AND b.shouldhaveshards
  WHERE p.shardid = get_shard_id_for_distribution_column('sales_days', $1::integer)
  LIMIT 1`;

/** While a node is away the others serve their restaurants, and the coordinator logins. */
async function serveWithout({ load }, { url }) {
  const before = load.acknowledged.size;
  const end = performance.now() + FAULT_MS;
  while (performance.now() < end) {
    await logIn(url).catch(({ message }) => assert.match(message, / 503 /)); // busy hash threads are no fault
    await delay(500);
  }
  assert.ok(load.acknowledged.size > before, 'uploads to the other worker were not saved');
}

/** Changes the cluster, during which every upload must succeed. */
async function serveDuring(scene, change) {
  await scene.underLoad(() => change(scene.postgres));
  const { other, none } = scene.load;
  assert.ok(other.size === 0 && none === 0, 'uploads were not served all the time');
}

const needs = ['citus'];

export const CITUS_DRILLS = [
  {
    name: 'citus-worker-added',
    what: 'a third worker joins the cluster and gets its share of the shards',
    needs,
    run: (scene) =>
      serveDuring(scene, async (cluster) => {
        await cluster.addWorker();
        await cluster.query(
          `SELECT rebalance_table_shards('sales_days', shard_transfer_mode := 'force_logical')`,
        );
      }),
  },
  {
    name: 'citus-shards-moved',
    what: 'six shards move to other workers, blocking writes and by logical replication in turn',
    needs,
    run: (scene) =>
      serveDuring(scene, async (cluster) => {
        for (let restaurant = 1; restaurant <= 6; restaurant++)
          await cluster.query(MOVE, [restaurant, MODES[restaurant % 2]]);
      }),
  },
  {
    name: 'citus-worker-killed',
    what: 'kill -9 of a worker and all its backends, which is away for 8 seconds',
    needs,
    run: (scene) =>
      scene.underLoad((service) =>
        scene.postgres.workers[0].kill(() => serveWithout(scene, service)),
      ),
  },
  {
    name: 'citus-worker-frozen',
    what: 'SIGSTOP of a worker and all its backends for 8 seconds',
    needs,
    run: async (scene) => {
      await scene.underLoad((service) =>
        scene.postgres.workers[0].freeze(() => serveWithout(scene, service)),
      );
      const { slowestMs } = scene.load;
      assert.ok(slowestMs < MAX_RESPONSE_MS, `a response took ${Math.round(slowestMs)} ms`);
    },
  },
  {
    name: 'citus-coordinator-killed',
    what: 'kill -9 of the coordinator and all its backends, which is away for 8 seconds',
    needs,
    run: (scene) => scene.underLoad(() => scene.postgres.kill()),
  },
];
