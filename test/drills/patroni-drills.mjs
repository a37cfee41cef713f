import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT, until } from './programs.mjs';

/** Longer than Patroni's ttl. */
const FAULT_MS = 65_000;

/** After the fault all nodes take part again. */
async function underLoad(scene, fault) {
  const primary = await scene.postgres.allJoined();
  await scene.underLoad(async () => {
    await fault(primary);
    await scene.postgres.allJoined();
  });
}

/** Asks a Prometheus with the files of deploy/ which alerts fire. */
async function startPrometheus({ folder, cleanUp }) {
  const config = ['--config.file', join(ROOT, 'deploy/prometheus/prometheus.yml')];
  const storage = ['--storage.tsdb.path', join(folder, 'prometheus')];
  const prometheus = spawn('prometheus', [...config, ...storage], { stdio: 'ignore' });
  cleanUp.push(() => prometheus.kill('SIGKILL'));
  return async () => {
    const { data } = await (await fetch('http://127.0.0.1:9090/api/v1/alerts')).json();
    return data.alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => labels.alertname);
  };
}

/** Stops all on a node with SIGKILL or SIGSTOP, and lets it go on afterwards. */
async function stopNode({ postgres }, node, signal) {
  postgres.signalNode(node, signal);
  await delay(FAULT_MS);
  if (signal === 'SIGKILL') postgres.startNode(node);
  else postgres.signalNode(node, 'SIGCONT');
}

const ALERT = 'SalesNoSynchronousStandby';
const needs = ['patroni'];

export const PATRONI_DRILLS = [
  {
    name: 'patroni-killed',
    what: 'kill -9 of all on the primary node, which is away for 65 seconds',
    needs,
    run: (scene) => underLoad(scene, (primary) => stopNode(scene, primary, 'SIGKILL')),
  },
  {
    name: 'patroni-frozen',
    what: 'SIGSTOP of all on the primary node for 65 seconds, which then goes on',
    needs,
    run: (scene) => underLoad(scene, (primary) => stopNode(scene, primary, 'SIGSTOP')),
  },
  {
    name: 'patroni-cut-off',
    what: 'the primary node is cut off from all others for 65 seconds',
    needs,
    run: (scene) =>
      underLoad(scene, async (primary) => {
        scene.postgres.connect(primary, false);
        await delay(FAULT_MS);
        scene.postgres.connect(primary, true);
      }),
  },
  {
    name: 'patroni-etcd-frozen',
    what: 'SIGSTOP of etcd on all nodes for 65 seconds',
    needs,
    run: (scene) =>
      underLoad(scene, async () => {
        for (const etcd of scene.postgres.etcds) etcd.kill('SIGSTOP');
        await delay(FAULT_MS);
        for (const etcd of scene.postgres.etcds) etcd.kill('SIGCONT');
      }),
  },
  ...['SIGKILL', 'SIGSTOP'].map((signal) => ({
    name: `patroni-standby-${signal === 'SIGKILL' ? 'killed' : 'frozen'}`,
    what: `${signal} of all on one standby node for 65 seconds`,
    needs,
    run: (scene) =>
      underLoad(scene, async () => {
        const [standby] = await scene.postgres.standbys();
        await stopNode(scene, standby, signal);
      }),
  })),
  {
    name: 'patroni-alone',
    what: 'kill -9 of all on both standby nodes, which are away for 80 seconds; the alert fires and ends',
    needs: [...needs, 'prometheus'],
    run: async (scene) => {
      const firing = await startPrometheus(scene);
      return underLoad(scene, async () => {
        const standbys = await scene.postgres.standbys();
        for (const standby of standbys) scene.postgres.signalNode(standby, 'SIGKILL');
        await delay(80_000);
        const alerts = await firing();
        assert.ok(alerts.includes(ALERT), `these alerts fire: ${alerts}`);
        for (const standby of standbys) scene.postgres.startNode(standby);
        await until(async () => !(await firing()).includes(ALERT), 'the alert to end');
      });
    },
  },
  {
    name: 'patroni-switchover',
    what: 'a planned switchover',
    needs,
    run: (scene) => underLoad(scene, () => scene.postgres.switchOver()),
  },
];
