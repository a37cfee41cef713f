import { setTimeout as delay } from 'node:timers/promises';
import { FAULT_MS, underLoad } from './database-drills.mjs';
import { logIn } from './load.mjs';

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

/** A node is away while the others serve their restaurants, and logins if the coordinator is among them. */
async function serveWithout({ expect }, { url }, { acknowledged }) {
  const before = acknowledged.size;
  const end = performance.now() + FAULT_MS;
  while (performance.now() < end) {
    await logIn(url).catch(({ message }) => expect(/ 503 /.test(message), message)); // busy hash threads are no fault
    await delay(500);
  }
  expect(acknowledged.size > before, 'uploads to the other worker were not saved');
}

function servedAllTheTime({ expect }, load) {
  expect(load.other.size === 0 && load.none === 0, 'uploads were not served all the time');
  return load;
}

export const CITUS_DRILLS = [
  {
    name: 'citus-worker-added',
    what: 'a third worker joins the cluster and gets its share of the shards',
    needs: ['citus'],
    run: async (scene) => {
      const load = await underLoad(scene, async () => {
        await scene.postgres.addWorker();
        await scene.postgres.query(
          `SELECT rebalance_table_shards('sales_days', shard_transfer_mode := 'force_logical')`,
        );
      });
      return servedAllTheTime(scene, load);
    },
  },
  {
    name: 'citus-shards-moved',
    what: 'six shards move to other workers, blocking writes and by logical replication in turn',
    needs: ['citus'],
    run: async (scene) => {
      const load = await underLoad(scene, async () => {
        for (let restaurant = 1; restaurant <= 6; restaurant++)
          await scene.postgres.query(MOVE, 'sales', [restaurant, MODES[restaurant % 2]]);
      });
      return servedAllTheTime(scene, load);
    },
  },
  {
    name: 'citus-worker-killed',
    what: 'kill -9 of a worker and all its backends, which is away for 8 seconds',
    needs: ['citus'],
    run: (scene) =>
      underLoad(scene, async (service, load) => {
        const [worker] = scene.postgres.workers;
        await worker.kill();
        await serveWithout(scene, service, load);
        await worker.start();
      }),
  },
  {
    name: 'citus-worker-frozen',
    what: 'SIGSTOP of a worker and all its backends for 8 seconds',
    needs: ['citus'],
    run: async (scene) => {
      const load = await underLoad(scene, async (service, underWay) => {
        const [worker] = scene.postgres.workers;
        const { pids } = worker;
        worker.signal(pids, 'SIGSTOP');
        await serveWithout(scene, service, underWay);
        worker.signal(pids, 'SIGCONT');
      });
      scene.expect(
        load.slowestMs < MAX_RESPONSE_MS,
        `a response took ${Math.round(load.slowestMs)} ms`,
      );
      return load;
    },
  },
  {
    name: 'citus-coordinator-killed',
    what: 'kill -9 of the coordinator and all its backends, which is away for 8 seconds',
    needs: ['citus'],
    run: (scene) =>
      underLoad(scene, async () => {
        await scene.postgres.kill();
        await delay(FAULT_MS);
        await scene.postgres.start();
      }),
  },
];
