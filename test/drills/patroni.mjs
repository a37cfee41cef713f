import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ACCOUNT, Postgres, PROGRAMS } from './postgres.mjs';
import { end, ROOT, run, until } from './programs.mjs';

const DEPLOY = join(ROOT, 'deploy/patroni');
const JOIN_TIMEOUT_MS = 180_000;
const addressOf = (node) => `10.0.0.2${node[1]}`;
const ip = (args) => run('ip', args.split(' '));

const NODES = ['n1', 'n2', 'n3'];

/** A bridge, and each node in a network namespace with the address that it has in deploy/. */
function connectNodes() {
  ip('link add sales type bridge');
  ip('addr add 10.0.0.1/24 dev sales');
  ip('link set sales up');
  for (const node of NODES) {
    ip(`netns add ${node}`);
    ip(`link add ${node} type veth peer name eth0 netns ${node}`);
    ip(`link set ${node} master sales up`);
    ip(`-n ${node} addr add ${addressOf(node)}/24 dev eth0`);
    for (const device of ['eth0', 'lo']) ip(`-n ${node} link set ${device} up`);
  }
}

/** PostgreSQL on three nodes with the files of deploy/patroni, as the HAProxy beside an instance leads to it. */
export class PatroniCluster extends Postgres {
  etcds = [];

  static async create(folder) {
    const cluster = new PatroniCluster(folder, undefined, 5000);
    chmodSync(folder, 0o755);
    connectNodes();
    for (const node of NODES) cluster.configure(node);
    try {
      await cluster.start();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  url(role = 'sales_service', database = 'sales') {
    const password = role === 'postgres' ? 'change-1' : 'drill';
    return `postgres://${role}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Name, addresses and folders; the watchdog needs a device that not every machine has. */
  configure(node) {
    const own = join(this.folder, node);
    mkdirSync(own);
    chownSync(own, ACCOUNT.uid, ACCOUNT.gid);
    const changes = [
      [/^(?!.*(?:hosts|initial-cluster):)(.*)10\.0\.0\.21/gm, `$1${addressOf(node)}`],
      [/^(name: [en])1$/m, `$1${node[1]}`],
      ['/var/lib/etcd', join(own, 'etcd')],
      ['/var/lib/postgresql/18/sales', join(own, 'data')],
      ['/var/lib/postgresql/.pgpass-patroni', join(own, 'pgpass')],
      ['/usr/lib/postgresql/18/bin', PROGRAMS],
      ['mode: required', 'mode: off'],
      [/^postgresql:$/m, `postgresql:\n  parameters: { unix_socket_directories: ${own} }`],
    ];
    for (const name of ['etcd.yml', 'patroni.yml']) {
      const given = readFileSync(join(DEPLOY, name), 'utf8');
      const text = changes.reduce((sum, [from, to]) => sum.replace(from, to), given);
      writeFileSync(join(own, name), text);
    }
  }

  async start() {
    for (const node of NODES) this.startNode(node);
    this.proxy = spawn('haproxy', ['-db', '-f', join(DEPLOY, 'haproxy.cfg')], { stdio: 'ignore' });
    await this.allJoined();
    await this.createRoles();
  }

  startNode(node) {
    const cwd = join(this.folder, node);
    const log = openSync(join(cwd, 'log'), 'a');
    const account = [`--setuid=${ACCOUNT.uid}`, `--setgid=${ACCOUNT.gid}`];
    const start = (program) =>
      spawn('nsenter', [`--net=/run/netns/${node}`, ...account, ...program], {
        cwd,
        stdio: ['ignore', log, log],
      });
    this.etcds.push(start(['etcd', '--config-file', 'etcd.yml']));
    start(['patroni', 'patroni.yml']);
  }

  /** As Patroni reports them; undefined where no node responds. */
  async members() {
    const ask = async (node) => {
      const signal = AbortSignal.timeout(2000);
      return (await fetch(`http://${addressOf(node)}:8008/cluster`, { signal })).json();
    };
    return (await Promise.any(NODES.map(ask)).catch(() => undefined))?.members;
  }

  /** Resolves to the primary's name once each node is the primary or follows it. */
  allJoined() {
    const joined = async () => {
      const members = (await this.members()) ?? [];
      const isFine = ({ role, state }) =>
        role === 'quorum_standby' || (role === 'leader' && state === 'running');
      const primary = members.find(({ role }) => role === 'leader');
      return (
        members.filter(isFine).length === NODES.length &&
        (await this.accepts('CREATE TEMPORARY TABLE probe ()')) &&
        primary?.name
      );
    };
    return until(joined, 'three nodes', JOIN_TIMEOUT_MS);
  }

  signalNode(node, signal) {
    const pids = ip(`netns pids ${node}`).split('\n').filter(Boolean);
    this.signal(pids.map(Number), signal);
  }

  async stop() {
    for (const node of NODES) {
      for (const signal of ['SIGKILL', 'SIGCONT']) this.signalNode(node, signal);
      ip(`link del ${node}`); // at once, as the namespace lasts as long as its processes
      ip(`netns del ${node}`);
    }
    ip('link del sales');
    await end(this.proxy, 'SIGKILL');
  }
}

/** How a fault begins and ends at a node. */
const signal = (name) => (cluster, node) => cluster.signalNode(node, name);
const link = (state) => (_cluster, node) => ip(`link set ${node} ${state}`);
const signalEtcds = (name) => (cluster) => cluster.etcds.forEach((etcd) => etcd.kill(name));
const kill = [signal('SIGKILL'), (cluster, node) => cluster.startNode(node)];
const freeze = [signal('SIGSTOP'), signal('SIGCONT')];
const cutOff = [link('down'), link('up')];
const freezeEtcds = [signalEtcds('SIGSTOP'), signalEtcds('SIGCONT')];

/** What happens to nodes, of which the primary is the first, for longer than Patroni's ttl; then all take part again. */
const happens =
  ([begin, undo], from, to) =>
  async (scene) => {
    const { postgres } = scene;
    const primary = await postgres.allJoined();
    const nodes = [primary, ...NODES.filter((node) => node !== primary)].slice(from, to);
    await scene.underLoad(async () => {
      for (const node of nodes) begin(postgres, node);
      await delay(65_000);
      for (const node of nodes) undo(postgres, node);
      await postgres.allJoined();
    });
  };

async function switchOver(scene) {
  const leader = await scene.postgres.allJoined();
  await scene.underLoad(async () => {
    const url = `http://${addressOf(leader)}:8008/switchover`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ leader }) });
    if (!response.ok) throw new Error(`switchover: ${await response.text()}`);
    await scene.postgres.allJoined();
  });
}

/** As FAULTS in faults.mjs; those of nodes last 65 seconds. */
export const PATRONI_FAULTS = [
  ['killed', 'kill -9 of all on the primary node', happens(kill, 0, 1)],
  ['frozen', 'SIGSTOP of all on the primary node', happens(freeze, 0, 1)],
  ['cut-off', 'the primary node reaches no other', happens(cutOff, 0, 1)],
  ['etcd-frozen', 'SIGSTOP of etcd on all nodes', happens(freezeEtcds, 0, 1)],
  ['standby-killed', 'kill -9 of all on one standby node', happens(kill, 1, 2)],
  ['standby-frozen', 'SIGSTOP of all on one standby node', happens(freeze, 1, 2)],
  ['alone', 'kill -9 of all on both standby nodes', happens(kill, 1, 3)],
  ['switchover', 'a planned switchover', switchOver],
].map(([name, what, run]) => [`patroni-${name}`, ['patroni'], what, run]);
