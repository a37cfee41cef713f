import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configWith } from '../../src/config/config.js';

const root = join(__dirname, '../..');
const kit = join(root, 'deploy');
const folder = mkdtempSync(join(tmpdir(), 'sales-upload-kit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (path: string): string => readFileSync(join(kit, path), 'utf8');

const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version']).error === undefined;
const testWith = (...programs: string[]) => (programs.every(isInstalled) ? test : test.skip);

function checkWith(program: string, args: string[], cwd = kit): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

/** A copy of a configuration with a certificate of its own and without a port that may be taken. */
function withCertificate(path: string): string {
  const certificate = join(folder, 'certificate.pem');
  const made = '-subj /CN=sales.example -days 2 -nodes -x509 -newkey rsa:2048'.split(' ');
  spawnSync('openssl', ['req', ...made, '-keyout', certificate, '-out', `${certificate}.crt`]);
  appendFileSync(certificate, readFileSync(`${certificate}.crt`));
  return read(path)
    .replaceAll(/\/etc\/ssl\/sales\.example\.(pem|key)/g, certificate)
    .replaceAll('/etc/nginx/snippets/', join(kit, 'nginx/'))
    .replace(/listen (443|8080)\b/, `listen unix:${folder}/nginx.sock`);
}

describe('Files of deploy/ are accepted by the program that reads them', () => {
  testWith('systemd-analyze')('the systemd unit', () => {
    expect(checkWith('systemd-analyze', ['verify', 'systemd/sales-upload@.service'])).toBe('');
  });

  testWith('nginx', 'openssl').each(['nginx/sales-upload.conf', 'nginx/compose.conf'])(
    '%s',
    (path) => {
      const site = join(folder, 'site.conf');
      writeFileSync(site, withCertificate(path).replaceAll(/service-[ab]:3000/g, '127.0.0.1:3000'));
      const main = join(folder, 'nginx.conf');
      const rest = path.endsWith('compose.conf')
        ? `include ${site};`
        : `events {} http { access_log off; include ${site}; }`;
      writeFileSync(main, `pid ${folder}/pid; error_log stderr; ${rest}`);
      expect(checkWith('nginx', ['-t', '-q', '-c', main, '-p', folder, '-g', 'daemon off;'])).toBe(
        '',
      );
    },
  );

  testWith('haproxy', 'openssl').each(['haproxy/sales-upload.cfg', 'patroni/haproxy.cfg'])(
    '%s',
    (path) => {
      const file = join(folder, 'haproxy.cfg');
      writeFileSync(file, withCertificate(path));
      expect(checkWith('haproxy', ['-c', '-q', '-f', file])).toBe('');
    },
  );

  testWith('promtool')(
    'the alert rules, each of which fires in its test and stays silent in a calm hour',
    () => {
      for (const args of [
        'check config --syntax-only prometheus.yml',
        'check rules sales-upload.rules.yml',
        'test rules sales-upload.rules.test.yml',
      ])
        expect(checkWith('promtool', args.split(' '), join(kit, 'prometheus'))).toBe('');
    },
  );

  testWith('bash').each(['backup/backup.sh', 'backup/restore.sh', 'postgres/create-roles.sh'])(
    '%s is valid bash',
    (path) => {
      expect(checkWith('bash', ['-n', path])).toBe('');
    },
  );
});

describe('The monitoring files', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts'),
  );
  const made = sources.map((name) => readFileSync(join(root, 'src', name), 'utf8')).join('\n');
  const outside = /^(up|ALERTS|patroni_\w+|nodejs_\w+|process_\w+)$/;

  test.each(['prometheus/sales-upload.rules.yml', 'grafana/sales-upload.json'])(
    '%s names metrics that exist',
    (path) => {
      const names = [
        ...read(path).matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)(?=[{[]|\\?"[,}]|\) <)/g),
      ].map(([, name]) => name!);
      const ours = names
        .map((name) => name.replace(/_(bucket|count|sum)$/, ''))
        .filter((name) => !outside.test(name));
      expect(ours.length).toBeGreaterThan(5);
      for (const name of ours) expect(made).toContain(`'${name}'`);
    },
  );

  test('there is an alert for every row of the table in the guide', () => {
    const guide = readFileSync(join(root, 'docs/operating.md'), 'utf8');
    const rows = guide.slice(guide.indexOf('| alert |')).split('\n\n', 1)[0]!.split('\n').slice(2);
    const alerts = [...read('prometheus/sales-upload.rules.yml').matchAll(/- alert: (\w+)/g)].map(
      ([, name]) => name!,
    );
    expect(rows.map((row) => /`(Sales\w+)`/.exec(row)?.[1]).sort()).toEqual(alerts.sort());
  });
});

test('With compose, the service connects as the role that the first start of the database makes, and never migrates', () => {
  const compose = read('compose.yaml');
  const settings = compose.slice(compose.indexOf('&settings'), compose.indexOf('depends_on'));
  expect(settings).toContain("MIGRATE_ON_START: 'false'");
  const [, role] = /DATABASE_URL: postgres:\/\/(\w+):\$\{SERVICE_PASSWORD:\?\}@/.exec(settings)!;
  expect(read('postgres/create-roles.sh')).toContain(`CREATE ROLE ${role} LOGIN PASSWORD`);
  expect(compose).toContain('./postgres/create-roles.sh:/docker-entrypoint-initdb.d/');
});

describe('The container file', () => {
  test('copies only what its ignore file lets into the build', () => {
    const allowed = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, list]) => list!.split(' '),
    );
    expect(copied.map((path) => `!${path}`).filter((path) => !allowed.includes(path))).toEqual([]);
  });

  test.each(['compose.yaml', 'systemd/sales-upload.env'])(
    '%s names settings that exist',
    (path) => {
      const names = [...read(path).matchAll(/^(?: {4}(?=[A-Z_]+: )|(?=[A-Z_]+=))([A-Z_]+)/gm)].map(
        ([, name]) => name,
      );
      expect(names).toEqual(expect.arrayContaining(['JWT_SECRET', 'TRUST_PROXY']));
      expect(names.filter((name) => !(name! in configWith()))).toEqual([]);
    },
  );

  test('its health check ends with 1 where nothing serves', () => {
    const { status } = spawnSync(process.execPath, [join(kit, 'healthcheck.mjs')], {
      env: { PORT: '1' },
    });
    expect(status).toBe(1);
  });
});
