import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readlinkSync } from 'node:fs';
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
  const [opt, backups] = ['opt', 'backups'].map((name) => join(folder, name));
  mkdirSync(opt);
  await postgres.query(
    `INSERT INTO users (username, password_hash) SELECT 'jane', password_hash FROM users`,
  );
  const PATH = `${PROGRAMS}:${process.env.PATH}`;
  const env = { PATH, HOME: folder, PGHOST: '127.0.0.1' };
  const [fresh, other] = [
    await Postgres.createBare(join(folder, 'fresh')),
    await Postgres.createBare(join(folder, 'other')),
  ];
  scene.cleanUp.push(() => Promise.all([fresh.stop(), other.stop()]));

  const output = {};
  for (const [heading, text] of printedCommands()) {
    const server = heading === 'Two database roles' ? fresh : postgres;
    const script = text
      .replaceAll('npm run --silent admin --', `${process.execPath} ${ROOT}/dist/src/cli.js`)
      .replaceAll(
        'npm run migration:run',
        `${process.execPath} ${ROOT}/dist/src/cli.js migration run`,
      )
      .replaceAll('postgres://sales_owner@db/', server.url('sales_owner', ''))
      .replaceAll('-h db2 ', `-p ${other.port} `)
      .replaceAll('postgres://sales_owner@db2/sales', other.url('sales_owner'))
      .replaceAll('/var/backups/sales', backups)
      .replaceAll('/opt/', `${opt}/`)
      .replaceAll('node_modules ', '') // hundreds of megabytes
      .replaceAll('_PASSWORD=...', '_PASSWORD=drill')
      .replace('tar -czf sales-upload.tar.gz', `tar -C ${ROOT} -czf sales-upload.tar.gz`)
      .replace(/\bdeploy\/backup\//g, `${ROOT}/deploy/backup/`)
      .replace(/-f docs\//g, `-f ${ROOT}/docs/`);
    const place = { PGPORT: String(server.port), DATABASE_URL: server.url() };
    const options = { cwd: folder, env: { ...env, ...place } };
    output[heading] = (output[heading] ?? '') + run('bash', ['-e', '-c', script], options);
  }
  assert.deepEqual(await fresh.query('SELECT FROM sales_days'), []); // its tables are there
  assert.match(readlinkSync(join(opt, 'sales-upload')), /^sales-upload-\d/);
  assert.match(output['Adding 300 restaurants'], /Old Pier/);
  assert.match(output['A person leaves'], /former-user-\d+/);
  assert.match(output['The disk fills'], /archived_count/);
  const countDays = async (server) => (await server.query('SELECT count(*) FROM sales_days'))[0];
  assert.deepEqual(await countDays(other), await countDays(postgres));
}

export const PROCEDURES = [
  ['procedures', [], 'the commands of docs/operating.md do what it says', followGuide],
];
