import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Postgres, PROGRAMS } from './postgres.mjs';
import { ROOT, run } from './programs.mjs';

/** The commands that docs/operating.md prints, a script per block, under its heading. */
function printedCommands() {
  const guide = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
  const sections = guide.split(/^##+ (.*)\n/m).slice(1);
  return sections.flatMap((heading, index) =>
    index % 2 === 1
      ? []
      : [...sections[index + 1].matchAll(/```bash\n([^]*?)```/g)].map(([, text]) => [
          heading,
          text,
        ]),
  );
}

/** Runs what the guide prints, on this machine: places and hosts are replaced, and nothing else. */
async function followGuide(scene) {
  const { folder, postgres } = scene;
  await scene.begin([await scene.startService()]);
  await scene.load.stop();
  const [opt, backups, bin] = ['opt', 'backups', 'bin'].map((name) => join(folder, name));
  for (const made of [opt, bin]) mkdirSync(made);
  symlinkSync(join(ROOT, 'node_modules'), join(opt, 'node_modules'));
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  await postgres.query(
    `INSERT INTO users (username, password_hash) SELECT 'jane', password_hash FROM users`,
  );
  const PATH = `${bin}:${PROGRAMS}:${process.env.PATH}`;
  const env = { PATH, HOME: folder, PGHOST: '127.0.0.1' };
  const [fresh, other] = [
    await Postgres.createBare(join(folder, 'fresh')),
    await Postgres.createBare(join(folder, 'other')),
  ];
  scene.cleanUp.push(() => Promise.all([fresh.stop(), other.stop()]));

  const countDays = async (server) =>
    Number((await server.query('SELECT count(*) FROM sales_days'))[0].count);
  const days = await countDays(postgres);
  const output = {};
  for (const [heading, text] of printedCommands()) {
    const server = heading === 'Two database roles' ? fresh : postgres;
    const script = text
      .replace(/"(\S+)\/deploy\/systemd\/sales-admin"/, `${process.execPath} "$1/dist/src/cli.js"`)
      .replaceAll('sales-admin ', `${process.execPath} ${ROOT}/dist/src/cli.js `)
      .replaceAll('/var/lib/sales-upload', folder)
      .replaceAll(/postgres:\/\/(sales_owner|postgres)@db\//g, (_, role) => server.url(role, ''))
      .replaceAll('-h db2 ', `-p ${other.port} `)
      .replaceAll('postgres://sales_owner@db2/sales', other.url('sales_owner'))
      .replaceAll('/var/backups/', `${backups}/`)
      .replaceAll('/opt/', `${opt}/`)
      .replaceAll('node_modules ', '') // hundreds of megabytes
      .replaceAll('_PASSWORD=...', '_PASSWORD=drill')
      .replace('tar -czf', `tar -C ${ROOT} -czf`)
      .replace(/\bdeploy\/(archive|backup)\//g, `${ROOT}/deploy/$1/`)
      .replace(/-f docs\//g, `-f ${ROOT}/docs/`);
    if (heading === 'Upgrading and rolling back') {
      const [built] = readdirSync(folder).filter((name) => name.endsWith('.tar.gz'));
      cpSync(join(folder, built), join(folder, 'sales-upload-later.tar.gz'));
    }
    const place = { PGPORT: String(server.port), DATABASE_URL: server.url() };
    const options = { cwd: folder, env: { ...env, ...place } };
    output[heading] = (output[heading] ?? '') + run('bash', ['-e', '-c', script], options);
  }
  assert.deepEqual(await fresh.query('SELECT FROM sales_days'), []); // its tables are there
  const [first] = readdirSync(opt).filter((name) => name.startsWith('sales-upload-'));
  assert.equal(readlinkSync(join(opt, 'sales-upload')), join(opt, first)); // upgraded and rolled back
  assert.match(output['Upgrading and rolling back'], /restart sales-upload@3001/);
  assert.match(output['Adding 300 restaurants'], /Old Pier/);
  assert.match(output['A person leaves'], /former-user-\d+/);
  assert.match(output['The disk fills'], /archived_count/);
  assert.equal(await countDays(other), days); // restored
  assert.equal(await countDays(postgres), 0); // the days of the load are old, and were dropped
}

export const PROCEDURES = [
  ['procedures', [], 'the commands of docs/operating.md do what it says', followGuide],
];
