import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CITUS_DRILLS } from './citus-drills.mjs';
import { DATABASE_DRILLS } from './database-drills.mjs';
import { isIsolated, isolate } from './isolation.mjs';
import { countLost } from './load.mjs';
import { PATRONI_DRILLS } from './patroni-drills.mjs';
import { PROGRAMS } from './postgres.mjs';
import { Scene } from './scene.mjs';
import { SERVICE_DRILLS } from './service-drills.mjs';

async function perform({ name, needs = [], run }, previous) {
  const missing = needs.filter((need) => !AVAILABLE[need](previous));
  if (missing.length > 0) return { drill: name, result: `skipped: needs ${missing.join(', ')}` };
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
  return { drill: name, ...scene.load?.figures, lost, result };
}

const has = (program, option = '--version') => spawnSync(program, [option]).status === 0;

const AVAILABLE = {
  pgbouncer: () => has('pgbouncer'),
  prometheus: () => has('prometheus'),
  patroni: () => isIsolated && has('patroni') && has('etcd') && has('haproxy', '-v'),
  previous: (previous) => previous !== undefined,
  'small data disk': () => isIsolated,
  citus: () => existsSync(join(PROGRAMS, '../lib/citus.so')),
};

const { values, positionals } = parseArgs({
  options: { previous: { type: 'string' }, list: { type: 'boolean' } },
  allowPositionals: true,
});
const drills = [...DATABASE_DRILLS, ...SERVICE_DRILLS, ...PATRONI_DRILLS, ...CITUS_DRILLS];
const chosen = drills.filter(
  ({ name }) => positionals.length === 0 || positionals.some((start) => name.startsWith(start)),
);
if (values.list || chosen.length === 0)
  process.stdout.write(drills.map(({ name, what }) => `${name.padEnd(24)} ${what}\n`).join(''));
else if (!existsSync(join(PROGRAMS, 'initdb'))) {
  process.stderr.write("PostgreSQL's programs are needed: pg_config must say where they are\n");
  process.exit(1);
} else if (!isolate()) {
  const rows = [];
  for (const drill of chosen) {
    process.stderr.write(`${drill.name}: ${drill.what}\n`);
    rows.push(await perform(drill, values.previous && resolve(values.previous)));
  }
  console.table(rows);
  process.exit(rows.some(({ result }) => result.startsWith('FAILED')) ? 1 : 0);
}
