import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.mjs';
import { canBuild, Image, IMAGE_DRILLS } from './image.mjs';
import { countLost } from './load.mjs';
import { PATRONI_FAULTS } from './patroni.mjs';
import { PROGRAMS } from './postgres.mjs';
import { PROCEDURES } from './procedures.mjs';
import { showTable } from './programs.mjs';
import { Scene } from './scene.mjs';

const OWN = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
const isIsolated = process.env.DRILLS_ISOLATED === 'true';

/** Where root may do so, runs this program again with networks, mounts and processes of its own that end with it. */
function isolate() {
  if (isIsolated || spawnSync('unshare', [...OWN, 'ip', 'link', 'set', 'lo', 'up']).status !== 0)
    return false;
  // The shell is process 1 and reaps what outlives its parent.
  const prepare =
    'ip link set lo up && mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && "$@"; exit $?';
  const again = ['sh', '-c', prepare, 'sh', process.execPath, ...process.argv.slice(1)];
  const env = { ...process.env, DRILLS_ISOLATED: 'true' };
  process.exitCode =
    spawnSync('unshare', [...OWN, ...again], { env, stdio: 'inherit' }).status ?? 1;
  return true;
}

const has = (program, option = '--version') => spawnSync(program, [option]).status === 0;

const BUILT = 'an image built by buildah';

const AVAILABLE = {
  pgbouncer: () => has('pgbouncer'),
  patroni: () => isIsolated && has('patroni') && has('etcd') && has('haproxy', '-v'),
  previous: (previous) => previous !== undefined,
  'small data disk': () => isIsolated,
  nginx: () => has('nginx', '-v'),
  [BUILT]: () => isIsolated && process.env.DRILLS_IMAGE !== undefined,
  citus: () => existsSync(join(PROGRAMS, '../lib/citus.so')),
};

async function perform([drill, needs, what, run], previous) {
  process.stderr.write(`${drill}: ${what}\n`);
  const missing = needs.filter((need) => !AVAILABLE[need](previous));
  if (missing.length > 0) return { drill, result: `skipped: needs ${missing.join(', ')}` };
  const scene = new Scene();
  let lost = '';
  let result = 'passed';
  try {
    await scene.prepare(needs, previous);
    await run(scene);
    await scene.load.stop();
    lost = await countLost(scene.postgres, scene.load.acknowledged);
    assert.equal(lost, 0, 'acknowledged uploads were lost');
    assert.ok(scene.load.acknowledged.size > 0, 'nothing was acknowledged');
  } catch (error) {
    result = `FAILED: ${error.message}`;
  }
  for (const undo of scene.cleanUp.reverse()) await undo();
  const { sent, acknowledged, other, none, longestGapMs, againMs, slowestMs } = scene.load ?? {};
  const uploads = { sent, saved: acknowledged?.size, other: JSON.stringify(other), none };
  const times = { 'gap ms': longestGapMs, 'again after ms': againMs, 'slowest ms': slowestMs };
  return { drill, ...uploads, ...times, lost, result };
}

const { values, positionals } = parseArgs({
  options: { previous: { type: 'string' }, list: { type: 'boolean' } },
  allowPositionals: true,
});
const drills = [...FAULTS, ...PATRONI_FAULTS, ...IMAGE_DRILLS, ...PROCEDURES];
const chosen = drills.filter(
  ([name]) => positionals.length === 0 || positionals.some((start) => name.startsWith(start)),
);
if (values.list || chosen.length === 0)
  process.stdout.write(drills.map(([name, , what]) => `${name.padEnd(26)} ${what}\n`).join(''));
else if (!existsSync(join(PROGRAMS, 'initdb'))) {
  process.stderr.write("PostgreSQL's programs are needed: pg_config must say where they are\n");
  process.exit(1);
} else {
  const isBuilt = !isIsolated && canBuild() && chosen.some(([, needs]) => needs.includes(BUILT));
  const image = isBuilt ? Image.build() : undefined;
  if (image) process.env.DRILLS_IMAGE = JSON.stringify(image);
  const failed = isolate() ? process.exitCode : await performAll();
  image?.remove();
  process.exit(failed);
}

async function performAll() {
  const rows = [];
  for (const drill of chosen)
    rows.push(await perform(drill, values.previous && resolve(values.previous)));
  showTable(rows);
  return rows.some(({ result }) => result.startsWith('FAILED')) ? 1 : 0;
}
