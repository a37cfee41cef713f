import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pino from 'pino';
import { migrations } from '../../migrations/index.js';
import { waitForDatabase } from '../../src/database/migrate.js';
import { prepareDemoData } from '../../src/server/demo-data.js';
import { prepareDatabase } from '../../src/server/prepare-database.js';
import { Shutdown } from '../../src/server/shutdown.js';
import { examplesOf, matching } from '../extending/documentation.js';
import { Client } from '../support/client.js';
import { CommandLine, PROGRAM } from '../support/command-line.js';
import { endLeftovers, eventually, ServiceProcess } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, testConfig } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';

const root = join(__dirname, '../..');

test('A start whose port is taken ends with one line before the database is asked, and status 1', async () => {
  const other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const PORT = String((other.address() as AddressInfo).port);
  const unreachable = 'postgres://sales@127.0.0.1:9/none';
  const service = new ServiceProcess({ DATABASE_URL: unreachable, PORT });
  expect(await service.exited).toEqual({ code: 1, signal: null });
  const reason = 'it is in use by another program: stop that one, or set PORT';
  const stderr = `cannot listen on port ${PORT} of 127.0.0.1: ${reason}\n`;
  expect([service.stdout, service.stderr]).toEqual(['', stderr]);
  other.close();
});

test('A production start asks for TIME_ZONE and CURRENCY before the first restaurant, and warns after it', async () => {
  const database = await createTestDatabase();
  const settings = { DATABASE_URL: database.url, NODE_ENV: 'production' };
  const refused = new ServiceProcess({ ...settings, TIME_ZONE: 'Europe/Berlin' });
  expect(await refused.exited).toEqual({ code: 1, signal: null });
  expect(refused.stderr).toBe('settings: CURRENCY is not set, such as SGD\n');
  const neither = new ServiceProcess(settings);
  expect(await neither.exited).toEqual({ code: 1, signal: null });
  expect(neither.stderr).toMatch(
    /^settings: TIME_ZONE is not set.*\nsettings: CURRENCY is not set.*\n$/,
  );
  await database.query(`INSERT INTO restaurants (id, name) VALUES (101, 'First')`);
  const warned = await ServiceProcess.start(settings);
  const warnings = warned.log.filter(({ level }) => level === 'warn').map(({ msg }) => String(msg));
  expect(warnings).toEqual([
    'TIME_ZONE is not set, such as Asia/Singapore: the default is used',
    'CURRENCY is not set, such as SGD: the default is used',
  ]);
  await warned.stop();
  await database.drop();
});

test('A start before PostgreSQL waits for it, says so, and then migrates; or ends with the reason, without the password', async () => {
  const empty = await createTestDatabase('template0');
  const owner = await TcpProxy.to(empty.ownerUrl);
  owner.refuse();
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line);
    owner.forward();
  };
  const log = pino({ base: null, timestamp: false }, { write });
  await prepareDatabase(testConfig({ DATABASE_URL: owner.url }), log, new Shutdown(log));
  expect(lines).toEqual([
    expect.stringMatching(/the database cannot be reached.*waiting for it, 60 seconds at most/),
    expect.stringMatching(new RegExp(`ran ${migrations.length} pending migrations`)),
  ]);
  expect(await empty.query('SELECT FROM hourly_sales')).toEqual([]);
  await owner.close();
  await empty.drop();

  const nowhere = { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/b', DATABASE_WAIT_SECONDS: 1 };
  const waiting = waitForDatabase(testConfig(nowhere), () => undefined);
  const error = await waiting.catch((thrown: unknown) => String(thrown));
  expect(error).toMatch(/^\w*Error: the database cannot be reached: .*ECONNREFUSED/);
  expect(error).not.toContain('secret');
});

test('The demo user is made by a start on loopback alone, and disabled by one elsewhere', async () => {
  const service = await createTestApp();
  for (const [settings, status] of [
    [{ DEMO_DATA: false }, 401],
    [{ HOST: '0.0.0.0' }, 401],
    [{}, 200],
    [{ HOST: '0.0.0.0' }, 403],
  ] as const) {
    await prepareDemoData(service.app, { ...service.config, ...settings });
    const login = await service.client.login('demo', 'demo-password');
    expect([settings, login.status]).toEqual([settings, status]);
  }
  await service.close();
});

test('npm start shows TypeScript lines in stacks', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const flags = /exec node (.+) dist/.exec(scripts.start)![1]!.split(' ');
  const code = `import('./dist/src/config/load-config.js').then((it) => it.parseConfig({ PORT: 'x' })).catch((e) => console.log(e.stack))`;
  const options = { cwd: root, encoding: 'utf8' } as const;
  const { stdout } = spawnSync(process.execPath, [...flags, '-e', code], options);
  expect(stdout).toMatch(/at (Module\.)?parseConfig \(.+\/src\/config\/load-config\.ts:\d+:\d+\)/);
});

/** Runs the examples of pages as a reader pastes them into one terminal, and compares what they print. */
async function runExamples(pages: readonly string[], dataDir: string, url: string): Promise<void> {
  const examples = pages.flatMap((page) => examplesOf(join(root, page)));
  expect(examples.length).toBeGreaterThan(3);
  const script = examples
    .map(({ command }) => `${command}\nprintf '\\036'`)
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll('npm run --silent admin --', `"${process.execPath}" "${PROGRAM}"`);
  const options = { cwd: dataDir, env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' } };
  const files = readdirSync(dataDir);
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], options);
  expect(readdirSync(dataDir)).toEqual(files); // the examples leave nothing behind
  const outputs = stdout.split('\x1e');
  for (const [index, { command: typed, answer }] of examples.entries()) {
    if (answer === undefined) continue;
    const seen: unknown = JSON.parse(outputs[index]!);
    expect({ typed, seen }).toEqual({ typed, seen: matching(JSON.parse(answer)) });
  }
}

describe('In a fresh folder', () => {
  let dataDir: string;
  beforeAll(() => (dataDir = mkdtempSync(join(tmpdir(), 'sales-upload-fresh-'))));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  test('a command creates the embedded database only when asked to', async () => {
    const add = ['restaurant', 'add', '5', '--name', 'Five'];
    const admin = CommandLine.opening(testConfig({ DATABASE_URL: '', DATA_DIR: dataDir }));
    const stderr =
      `DATABASE_URL is not set and ${dataDir} holds no embedded database: set DATABASE_URL to the service's database, ` +
      'or give --embedded to create one there\n';
    expect(await admin.run(add)).toEqual({ status: 1, stdout: '', stderr });
    expect(readdirSync(dataDir)).toEqual([]);
    expect(await admin.run([...add, '--embedded'])).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(dataDir, 'jwt-secret'))).toBe(false); // a command signs nothing
  });

  const tools = ['script', 'setpriv', 'bash', 'curl', 'sed']; // the first two are of util-linux
  const areHere = tools.every((tool) => spawnSync(tool, ['--version']).status === 0);
  const itRuns = areHere ? test : test.skip;
  itRuns('npm start in a terminal, with the examples of the pages, ends with Ctrl-C', async () => {
    const command = ['script', '-qec', 'npm start --silent', '/dev/null'];
    const { PATH, HOME } = process.env;
    const terminal = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
      cwd: root,
      env: { PATH, HOME, TERM: 'xterm', PORT: '0', DATA_DIR: dataDir },
    });
    let screen = '';
    terminal.stdout.on('data', (chunk: Buffer) => (screen += String(chunk)));
    const shown = (pattern: RegExp) =>
      eventually(() => pattern.exec(screen), `${pattern.source} on: ${screen}`, 50_000);

    const url = (await shown(/^listening on (http:\S+)\r$[^]+upload-daily.+\r\n/m))[1]!;
    const [first, second, ...lines] = screen.trim().split('\r\n');
    expect(first).toMatch(/^building what has changed/);
    expect(second).toContain(`starting PostgreSQL in ${dataDir}`);
    expect(lines.slice(-6)).toEqual([
      `listening on ${url}`,
      `open ${url}/app/ in a browser, user demo, password demo-password`,
      `try every call on ${url}/api/v1/docs`,
      'Try it:',
      expect.stringMatching(/^TOKEN=\$\(curl /),
      expect.stringMatching(/^curl -s .+upload-daily/),
    ]);
    expect(screen).not.toMatch(/ERROR|WARN/);
    await new Client(url).get('/nothing');
    await shown(/\d\d:\d\d:\d\d\.\d{3}.+GET \/nothing 404/);
    expect(screen).not.toContain('{"level"');
    await runExamples(['README.md', 'docs/analysing.md'], dataDir, url);
    await runExamples(['docs/integrating.md', 'docs/reference.md'], dataDir, url);

    const [postgres] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
    terminal.stdin.write('\x03');
    await once(terminal, 'exit');
    expect(screen).not.toContain('ending at once'); // a terminal and npm both pass it on
    await eventually(() => !existsSync(`/proc/${postgres}`), 'PostgreSQL to be gone');
  });
});

afterAll(endLeftovers);
