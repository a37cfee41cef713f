import assert from 'node:assert/strict';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ACCOUNT, Postgres, PROGRAMS } from './postgres.mjs';
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

/** Where the guide's PostgreSQL is on another machine, it takes the owner by TLS alone. */
const OWNER = /postgres:\/\/sales_owner@db\.example\/(\w+)\?sslmode=verify-full&sslrootcert=[^\s'"]+/g; // prettier-ignore

function certificateFor(postgres) {
  const [certificate, key] = ['server.crt', 'server.key'].map((name) => join(postgres.data, name));
  const made = '-subj /CN=db.example -addext subjectAltName=IP:127.0.0.1 -days 2 -nodes -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256'; // prettier-ignore
  run('openssl', ['req', ...made.split(' '), '-keyout', key, '-out', certificate]);
  for (const file of [certificate, key]) chownSync(file, ACCOUNT.uid, ACCOUNT.gid);
  return certificate;
}

/** Lets a server take the owner by TLS alone; returns the owner's URL. */
async function requireTls(postgres) {
  const rules = join(postgres.data, 'pg_hba.conf');
  const noClearText = 'hostnossl all sales_owner 127.0.0.1/32 reject';
  writeFileSync(rules, `${noClearText}\n${readFileSync(rules, 'utf8')}`);
  const certificate = certificateFor(postgres);
  await postgres.query('ALTER SYSTEM SET ssl = on', [], 'postgres');
  await postgres.query('SELECT pg_reload_conf()', [], 'postgres');
  const verified = `?sslmode=verify-full&sslrootcert=${certificate}`;
  return (database) => postgres.url('sales_owner', database) + verified;
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
  const owners = new Map();
  for (const each of [postgres, fresh, other]) owners.set(each, await requireTls(each));

  const countDays = async (server) =>
    Number((await server.query('SELECT count(*) FROM sales_days'))[0].count);
  const days = await countDays(postgres);
  const output = {};
  for (const [heading, text] of printedCommands()) {
    const server = heading === 'Two database roles' ? fresh : postgres;
    const owner = owners.get(server);
    const script = text
      .replace(/"(\S+)\/deploy\/systemd\/sales-admin"/, `${process.execPath} "$1/dist/src/cli.js"`)
      .replaceAll('sales-admin ', `${process.execPath} ${ROOT}/dist/src/cli.js `)
      .replaceAll('/var/lib/sales-upload', folder)
      .replaceAll(OWNER, (_, database) => owner(database))
      .replace('${OWNER_URL/db.example/db2.example}', owners.get(other)('sales'))
      .replaceAll('-h db2.example ', `-p ${other.port} `)
      .replaceAll('/var/backups/', `${backups}/`)
      .replaceAll('/opt/', `${opt}/`)
      .replaceAll('node_modules ', '') // hundreds of megabytes
      .replaceAll('_PASSWORD=...', '_PASSWORD=drill')
      .replace('npm sbom', `cd ${ROOT} && npm sbom`)
      .replace('> sbom.json', `> ${folder}/sbom.json`)
      .replace('tar --exclude', `cd ${folder} && tar -C ${folder} --exclude`)
      .replace('package.json sbom.json', `sbom.json -C ${ROOT} package.json`);
    if (heading === 'Upgrade') {
      const [built] = readdirSync(folder).filter((name) => name.endsWith('.tar.gz'));
      cpSync(join(folder, built), join(folder, 'sales-upload-later.tar.gz'));
    }
    const place = { PGPORT: String(server.port), DATABASE_URL: server.url() };
    const options = { cwd: folder, env: { ...env, ...place, OWNER_URL: owner('sales') } };
    // Without a terminal psql reads a new password from its input.
    const args = ['--wait', 'bash', '-e', '-c', script];
    output[heading] = (output[heading] ?? '') + run('setsid', args, { ...options, input: 'new\nnew\n' }); // prettier-ignore
  }
  assert.deepEqual(await fresh.query('SELECT FROM sales_days'), []); // its tables are there
  const [first] = readdirSync(opt).filter((name) => name.startsWith('sales-upload-'));
  const release = join(opt, first);
  assert.equal(readlinkSync(join(opt, 'sales-upload')), release); // upgraded and rolled back
  assert.ok(JSON.parse(readFileSync(join(release, 'sbom.json'), 'utf8')).components.length > 50);
  assert.ok(existsSync(join(release, 'dist/src/main.js')) && !existsSync(join(release, 'dist/src/testing'))); // prettier-ignore
  assert.match(output['Upgrade'], /restart sales-upload@3001/);
  assert.match(output['First users'], /Old Pier/);
  assert.match(output['A person leaves'], /former-user-\d+/);
  assert.match(output['The disk fills'], /archived_count/);
  assert.match(output['Dropping old years'], new RegExp(`^${days} days$`, 'm')); // read back
  assert.equal(await countDays(other), days); // restored
  assert.equal(await countDays(postgres), 0); // the days of the load are old, and were dropped
  const archived = ['back', join(backups, 'before-2025')];
  const DATABASE_URL = postgres.url('postgres'); // which has no password here
  run(join(ROOT, 'deploy/archive/archive.sh'), archived, { env: { PATH, DATABASE_URL } });
  assert.equal(await countDays(postgres), days);
}

export const PROCEDURES = [
  ['procedures', [], 'the commands of docs/operating.md do what it says', followGuide],
];
