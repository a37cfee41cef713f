import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import bcrypt from 'bcrypt';
import { Load, logIn, prove, RESTAURANTS } from './load.mjs';
import { CITUS_IS_INSTALLED, CitusCluster } from './citus-cluster.mjs';
import { CITUS_DRILLS } from './citus-drills.mjs';
import { canMount, Postgres, postgresVersion } from './postgres.mjs';
import { CLI, Service } from './process.mjs';
import { DATABASE_DRILLS } from './database-drills.mjs';
import { isIsolated, isolate } from './isolation.mjs';
import { PATRONI_DRILLS } from './patroni-drills.mjs';
import { PatroniCluster, patroniVersion } from './patroni.mjs';
import { SERVICE_DRILLS } from './service-drills.mjs';

const USAGE = `npm run drills -- [options] [names or their beginnings]
  --previous folder   a built release, for the rolling upgrade from it and back
  --list              name the drills and leave
The setting PATRONI is the command that starts Patroni, where it is not on the path.`;

/** What a drill works with; everything it adds to `cleanUp` is undone, last first. */
async function prepare(folder, cleanUp, { previous, data, patroni, citus }) {
  const disk = data ? mountDisk(join(folder, 'data'), '400m', cleanUp) : undefined;
  const server = patroni ? PatroniCluster : citus ? CitusCluster : Postgres;
  const postgres = await server.create(folder, disk);
  cleanUp.push(() => postgres.stop());
  if (previous) await postgres.migrate(join(previous, 'dist/src/cli.js'), previous);
  else await postgres.migrate(CLI);
  await postgres.query(
    `INSERT INTO restaurants (id, name) SELECT n, 'Restaurant ' || n FROM generate_series(1, ${RESTAURANTS}) AS n`,
  );
  const hash = bcrypt.hashSync('right password', 10);
  await postgres.query(
    `INSERT INTO users (username, password_hash, all_restaurants) VALUES ('till', $1, true)`,
    'sales',
    [hash],
  );
  const startService = async (settings, options) => {
    const service = await Service.start({ DATABASE_URL: postgres.url(), ...settings }, options);
    cleanUp.push(() => service.stop());
    return service;
  };
  const problems = [];
  const expect = (isMet, otherwise) => isMet || problems.push(otherwise);
  return { postgres, startService, folder, cleanUp, previous, problems, expect, begin };
}

async function begin(urls, tokens) {
  return new Load(urls, tokens ?? [await logIn(urls[0])]);
}

function mountDisk(path, size, cleanUp) {
  spawnSync('mkdir', ['-p', path]);
  const { status, stderr } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`mount failed: ${stderr}`);
  cleanUp.push(() => spawnSync('umount', ['-l', path]));
  return path;
}

async function perform({ name, needs = [], run }, previous) {
  const missing = needs.filter((need) => !AVAILABLE[need](previous));
  if (missing.length > 0) return { drill: name, result: `skipped: needs ${missing.join(', ')}` };
  const folder = mkdtempSync(join(tmpdir(), 'sales-upload-drill-'));
  const cleanUp = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const needsPrevious = needs.includes('previous');
    const scene = await prepare(folder, cleanUp, {
      previous: needsPrevious && previous,
      data: needs.includes('small data disk'),
      patroni: needs.includes('patroni'),
      citus: needs.includes('citus'),
    });
    const load = await run(scene);
    await load.stop();
    const { lost, differences } = await prove(scene.postgres, load.acknowledged);
    scene.expect(load.acknowledged.size > 0, 'nothing was acknowledged');
    scene.expect(lost === 0, 'acknowledged uploads were lost');
    scene.expect(differences === 0, 'figures differ from the ledger');
    const { sent, none, other, acknowledged, longestGapMs, slowestMs } = load;
    const statuses = [...other].map(([status, count]) => `${count} x ${status}`).join(', ');
    const [gap, slowest] = [longestGapMs, slowestMs].map((ms) => `${(ms / 1000).toFixed(1)} s`);
    const result = scene.problems.length === 0 ? 'passed' : `FAILED: ${scene.problems.join('; ')}`;
    return {
      drill: name,
      sent,
      200: acknowledged.size,
      other: statuses,
      none,
      lost,
      differences,
      gap,
      slowest,
      result,
    };
  } catch (error) {
    return { drill: name, result: `FAILED: ${error.message}` };
  } finally {
    for (const undo of cleanUp.reverse()) await undo();
  }
}

const has = (program, option = '--version') => spawnSync(program, [option]).status === 0;

const AVAILABLE = {
  pgbouncer: () => has('pgbouncer'),
  prometheus: () => has('prometheus'),
  patroni: () => isIsolated && patroniVersion() && has('etcd') && has('haproxy', '-v'),
  previous: (previous) => previous !== undefined,
  'small data disk': canMount,
  citus: () => CITUS_IS_INSTALLED,
};

const { values, positionals } = parseArgs({
  options: { previous: { type: 'string' }, list: { type: 'boolean' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const drills = [...DATABASE_DRILLS, ...SERVICE_DRILLS, ...PATRONI_DRILLS, ...CITUS_DRILLS];
const unknown = positionals.filter((start) => !drills.some(({ name }) => name.startsWith(start)));
if (values.help || unknown.length > 0) {
  process.stderr.write(`${USAGE}\n${unknown.map((name) => `no such drill: ${name}\n`).join('')}`);
  process.exit(2);
} else if (values.list)
  process.stdout.write(drills.map(({ name, what }) => `${name.padEnd(24)} ${what}\n`).join(''));
else if (!postgresVersion()) {
  process.stderr.write("PostgreSQL's programs are needed: pg_config must say where they are\n");
  process.exit(1);
} else if (!isolate()) {
  const isChosen = ({ name }) =>
    positionals.length === 0 || positionals.some((start) => name.startsWith(start));
  const rows = [];
  for (const drill of drills.filter(isChosen)) {
    process.stderr.write(`${drill.name}: ${drill.what}\n`);
    rows.push(await perform(drill, values.previous));
  }
  console.table(rows);
  process.exit(rows.some(({ result }) => result.startsWith('FAILED')) ? 1 : 0);
}
