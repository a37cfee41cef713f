import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { configWith } from '../../src/config/config.js';
import { connectionOptions } from '../../src/database/connections.js';
import { readSources } from '../extending/architecture.js';
import { copyForHere, nginxArguments } from './proxies.js';

const root = join(__dirname, '../..');
const kit = join(root, 'deploy');
const folder = mkdtempSync(join(tmpdir(), 'sales-upload-kit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (path: string): string => readFileSync(join(kit, path), 'utf8');

/** The part of each match that the pattern's group is about. */
const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, part]) => part!);

/** The arguments by which nginx checks a whole configuration, or a site within one. */
function nginxTest(path: string): string[] {
  const copy = copyForHere(folder, path, [
    [/listen (80|443|8080)\b/g, `listen unix:${folder}/$1.sock`],
    [/service-[ab]:3000/g, '127.0.0.1:3000'],
  ]);
  return ['-t', ...nginxArguments(folder, copy)];
}

const haproxyTest = (path: string): string[] => ['-c', '-q', '-f', copyForHere(folder, path)];
const withWords =
  (words: string) =>
  (path: string): string[] => [...words.split(' '), join(kit, path)];

describe('Files of deploy/ are accepted by the program that reads them', () => {
  for (const [program, path, argumentsFor] of [
    ['systemd-analyze', 'systemd/sales-upload@.service', withWords('verify')],
    ['nginx', 'nginx/sales-upload.conf', nginxTest],
    ['nginx', 'nginx/compose.conf', nginxTest],
    ['haproxy', 'haproxy/sales-upload.cfg', haproxyTest],
    ['haproxy', 'patroni/haproxy.cfg', haproxyTest],
    ['promtool', 'prometheus/prometheus.yml', withWords('check config')],
    ['promtool', 'prometheus/sales-upload.rules.yml', withWords('check rules')],
    // Each alert fires in its test, and stays silent in a calm hour.
    ['promtool', 'prometheus/sales-upload.rules.test.yml', withWords('test rules')],
    ['promtool', 'patroni/sales-upload-patroni.rules.test.yml', withWords('test rules')],
    ['bash', 'backup/backup.sh', withWords('-n')],
    ['bash', 'backup/restore.sh', withWords('-n')],
    ['bash', 'postgres/create-roles.sh', withWords('-n')],
    ['sh', 'systemd/sales-admin', withWords('-n')],
  ] as const) {
    const isMissing = (each: string): boolean => spawnSync(each, ['--version']).error !== undefined;
    const itIs = [program, 'openssl'].some(isMissing) ? test.skip : test;
    itIs(`${program}: ${path}`, () => {
      const { status, output } = spawnSync(program, argumentsFor(path), { encoding: 'utf8' });
      const text = status === 0 ? '' : output.join('');
      expect({ status, text }).toEqual({ status: 0, text: '' });
    });
  }
});

const rules =
  read('prometheus/sales-upload.rules.yml') + read('patroni/sales-upload-patroni.rules.yml');

describe('The monitoring files', () => {
  test.each([
    ['the rules', rules],
    ['grafana/sales-upload.json', read('grafana/sales-upload.json')],
  ])('%s: the metrics exist', (_path, text) => {
    const outside =
      /^(up|ALERTS|patroni_\w+|node_\w+|probe_\w+|sales_backup_\w+|nodejs_\w+|process_\w+)$/;
    const named = found(text, /\b([a-z]+(?:_[a-z0-9]+)+)(?=[{[]|\\?"[,}]|\) <)/g)
      .map((name) => name.replace(/_(bucket|count|sum)$/, ''))
      .filter((name) => !outside.test(name));
    expect(named.length).toBeGreaterThan(5);
    const made = [...readSources(root, 'src').values()].join('\n');
    expect(named.filter((name) => !made.includes(`'${name}'`))).toEqual([]);
  });

  test('every alert says what it means and what to do', () => {
    const alerts = rules.split('- alert: ').slice(1);
    expect(alerts.length).toBeGreaterThan(15);
    expect(alerts.filter((alert) => !/summary: [^]+action: /.test(alert))).toEqual([]);
  });
});

test('The proxies take the bodies that the service takes, and no larger ones', () => {
  const { BODY_LIMIT_BYTES } = configWith();
  const proxies = read('nginx/sales-upload-server.conf') + read('haproxy/sales-upload.cfg');
  const limits = found(proxies, /(?:client_max_body_size|body_size gt|larger than) +(\d+)/g);
  expect(limits).toEqual(Array.from({ length: 4 }, () => String(BODY_LIMIT_BYTES)));
});

test('With compose, the service connects as the role that the database makes when it starts first, and never migrates', () => {
  const compose = read('compose.yaml');
  const settings = compose.slice(compose.indexOf('&settings'), compose.indexOf('depends_on'));
  expect(settings).toContain("MIGRATE_ON_START: 'false'");
  const [role] = found(settings, /DATABASE_URL: postgres:\/\/(\w+):\$\{SERVICE_PASSWORD:\?\}@/g);
  expect(readFileSync(join(root, 'docs/create-roles.sql'), 'utf8')).toContain(
    `('${role}', :'service_password')`,
  );
  expect(compose).toContain('./postgres/create-roles.sh:/docker-entrypoint-initdb.d/');
  expect(compose).toContain('../docs/create-roles.sql:/create-roles.sql:ro');
});

test('PostgreSQL ends idle sessions of the service later than the service itself, which would use them', () => {
  const roles = readFileSync(join(root, 'docs/create-roles.sql'), 'utf8');
  const [seconds] = found(roles, /idle_session_timeout = '+(\d+)s'/g);
  const { idleTimeoutMillis } = connectionOptions(configWith());
  expect(Number(seconds) * 1000).toBeGreaterThan(idleTimeoutMillis!);
});

test.each([
  ['backup.sh', ['/nowhere']],
  ['restore.sh', ['/nowhere', 'postgres://owner@host/sales?sslmode=require&password=secret']],
])('backup/%s refuses a URL that holds a password in a parameter', (script, args) => {
  const env = { ...process.env, DATABASE_URL: 'postgres://owner@host/sales?password=secret' };
  const { status, stderr } = spawnSync(join(kit, 'backup', script), args, { env, encoding: 'utf8' }); // prettier-ignore
  expect([status, stderr]).toEqual([2, expect.stringContaining('holds a password')]);
});

test('The backup tells the metric by which its alert measures its age', () => {
  const [metric] = found(rules, /max\((sales_backup\w+)\)/g);
  expect(read('backup/backup.sh')).toContain(`echo "${metric} `);
});

test.each(['compose.yaml', 'systemd/sales-upload.env'])(
  '%s: the settings exist, each once',
  (path) => {
    const names = found(read(path), /^(?: {4}(?=[A-Z_]+: )|(?=[A-Z_]+=))([A-Z_]+)/gm);
    expect(names).toEqual(expect.arrayContaining(['JWT_SECRET', 'TRUST_PROXY']));
    expect(names.filter((name) => !(name in configWith()))).toEqual([]);
    expect(new Set(names).size).toBe(names.length); // one that stands twice is an error to compose
  },
);

test('systemd/sales-upload.env: shells and Node read the same from it, to the letter', () => {
  const url =
    'postgres://sales_service:password@database.example:5432/sales?sslmode=verify-full&sslrootcert=/etc/ssl/database-ca.pem';
  const file = join(kit, 'systemd/sales-upload.env');
  const inShell = ['-ec', 'set -a; . "$0"; exec "$@"', file, process.execPath];
  const print = ['-p', 'process.env.DATABASE_URL'];
  for (const [program, args] of [
    ['sh', [...inShell, ...print]],
    [process.execPath, [`--env-file=${file}`, ...print]],
  ] as const) {
    const { stdout, stderr } = spawnSync(program, args, { env: {}, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: `${url}\n`, stderr: '' });
  }
});

describe('systemd/sales-admin', () => {
  const isRoot = userInfo().uid === 0;
  /** Runs a copy whose places are those of the test; its program tells what it got. */
  const run = (env: Readonly<Record<string, string>>) => {
    const [script, program, settings] = ['kit/systemd/sales-admin', 'dist/src/cli.js', 'settings'].map((name) => join(folder, name)); // prettier-ignore
    chmodSync(folder, 0o755);
    for (const made of ['kit/systemd', 'dist/src'])
      mkdirSync(join(folder, made), { recursive: true });
    writeFileSync(settings!, "DATABASE_URL='postgres://x?a=1&b=2'\nTIME_ZONE=UTC\n");
    writeFileSync(
      program!,
      `const { cwd, env, argv, getuid } = process;
       const input = require('fs').readFileSync(0, 'utf8');
       console.log(JSON.stringify([argv.slice(2), input, cwd(), getuid(), env.DATABASE_URL, env.TIME_ZONE]));
       process.exitCode = 3;`,
    );
    const text = read('systemd/sales-admin')
      .replace('/usr/bin/node', process.execPath)
      .replace('/etc/sales-upload.env', settings!)
      .replace('--regid=sales', '--regid=65534')
      .replace('--reuid=sales', '--reuid=nobody');
    writeFileSync(script!, text, { mode: 0o755 });
    const options = { env: { ...process.env, ...env }, cwd: folder, input: 'secret\n' };
    const ran = spawnSync(script!, ['user', 'add', 'a b'], { ...options, encoding: 'utf8' });
    const { status, stdout, stderr } = ran;
    return { status, stderr, told: stdout && JSON.parse(stdout) };
  };
  const base = [['user', 'add', 'a b'], 'secret\n', folder];

  test('runs as the service, with its settings; words, input, folder and exit status pass', () => {
    const nobody = { status: 3, stderr: '', told: [...base, 65534, 'postgres://x?a=1&b=2', 'UTC'] };
    const refused = { status: 2, stderr: expect.stringContaining('as root'), told: '' };
    expect(run({ DATABASE_URL: '' })).toEqual(isRoot ? nobody : refused);
  });

  test("runs as its caller on the caller's database", () => {
    const told = [...base, userInfo().uid, 'postgres://owner', 'UTC'];
    expect(run({ DATABASE_URL: 'postgres://owner' })).toEqual({ status: 3, stderr: '', told });
  });
});

test('The container file copies only what its ignore file lets into the build; its health check ends with 1 where nothing serves', () => {
  const allowed = found(read('Dockerfile.dockerignore'), /^!(.*)$/gm);
  const copied = found(read('Dockerfile'), /^COPY (?!--from)(.+) \S+$/gm).join(' ').split(' '); // prettier-ignore
  expect(copied.filter((path) => !allowed.includes(path))).toEqual([]);
  const args = [join(kit, 'healthcheck.mjs')];
  expect(spawnSync(process.execPath, args, { env: { PORT: '1' } }).status).toBe(1);
});
