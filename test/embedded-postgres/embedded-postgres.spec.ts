import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { DatabaseConfig } from '../../src/config/database.config.js';
import { dataSourceOptions } from '../../src/database/connections.js';
import { Database } from '../../src/database/database.js';
import {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../src/embedded-postgres/embedded-postgres.js';
import { eventually } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';

// The machine stays up, so what was committed is not lost when a process is killed.
const SETTINGS = { fsync: 'off', max_connections: '20', shared_buffers: '16MB' };
const BUILT = join(__dirname, '../../dist/src/embedded-postgres/embedded-postgres.js');

let root: string;
let dataDir: string;
let cluster: string;
let started: EmbeddedPostgres[] = [];
let children: ChildProcess[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'embedded-postgres-test-'));
  await chmod(root, 0o755);
  await mkdir(join(root, 'hidden'), { mode: 0o700 }); // also where it runs as another account than root
  dataDir = join(root, 'hidden', 'project', '.data');
  cluster = join(dataDir, 'postgres');
  const { url } = await start();
  await query(url, 'CREATE TABLE kept AS SELECT 1 AS value');
  await stopAll();
});
afterEach(stopAll);
afterAll(() => rm(root, { recursive: true }));

async function stopAll(): Promise<void> {
  await Promise.all(children.map(kill));
  await Promise.all(started.map((each) => each.stop()));
  [children, started] = [[], []];
}

async function kill(child: ChildProcess): Promise<void> {
  const isRunning = child.exitCode === null && child.signalCode === null;
  const ended = isRunning && once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function start(folder = dataDir, changes = {}): Promise<EmbeddedPostgres> {
  const postgres = await openEmbeddedPostgres(folder, {
    settings: { ...SETTINGS, ...changes },
  });
  started.push(postgres);
  return postgres;
}

/** A service in a process of its own; `ready` gives the address of its database. */
function spawnService(folder = dataDir): { child: ChildProcess; ready: Promise<string> } {
  const program = `import(${JSON.stringify(BUILT)})
    .then((it) => it.openEmbeddedPostgres(process.argv[1], { settings: ${JSON.stringify(SETTINGS)} }))
    .then(({ url }) => { console.log(url); setInterval(() => undefined, 1000); })`;
  const stdio: ('ignore' | 'pipe' | 'inherit')[] = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, ['-e', program, folder], { stdio });
  children.push(child);
  return { child, ready: once(child.stdout!, 'data').then(([url]) => String(url).trim()) };
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  return client.query(sql).then(({ rows }) => rows).finally(() => client.end()); // prettier-ignore
}

/** The number of PostgreSQL's process. */
const serverPid = async (): Promise<number> =>
  Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);

/** The number of the process that ends PostgreSQL together with its starter. */
async function guardPid(): Promise<number> {
  for (const name of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const folder = await readlink(`/proc/${name}/cwd`).catch(() => undefined);
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (folder === cluster && command.startsWith('/bin/sh')) return Number(name);
  }
  throw new Error(`there is no guard in ${dataDir}`);
}

/** Whether a process runs; one that ended and whose parent has not noticed does not. */
async function runs(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State: Z');
  return !/^State:\s*Z/m.test(status);
}

const KEPT = [{ value: 1 }];

test('A first start that was killed half-way is done anew, by one of several at the same instant', async () => {
  const folder = join(root, 'killed');
  await mkdir(folder);
  const drafts = async () => (await readdir(folder)).filter((name) => /^postgres\.new/.test(name));
  const { child } = spawnService(folder);
  await eventually(async () => (await drafts()).length > 0, 'the first start to begin');
  await kill(child);
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => start(folder)));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(3);
  for (const { reason } of refused)
    expect(reason.message).toMatch(/is in use by the service running as process/);
  const name = await query(started[0]!.url, 'SELECT current_database() AS name');
  expect([name, await drafts()]).toEqual([[{ name: 'sales' }], []]);
});

test('The database keeps its data; it is of UTF-8, compared by code point, in UTC, for those who know the password', async () => {
  const { url } = await start();
  const sql = `SELECT datname, pg_encoding_to_char(encoding) AS encoding, datlocale, current_setting('TimeZone') AS zone
    FROM pg_database WHERE datname = current_database()`;
  const expected = { datname: 'sales', encoding: 'UTF8', datlocale: 'C.UTF-8', zone: 'UTC' };
  expect(await query(url, sql)).toEqual([expected]);

  const guess = Object.assign(new URL(url), { password: 'guess' });
  await expect(query(guess.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  const file = join(cluster, 'password');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toContain(new URL(url).password);
  expect(await query(url, 'SELECT value FROM kept')).toEqual(KEPT);
});

const whenRoot = process.getuid?.() === 0 ? test : test.skip;
whenRoot('As root, it belongs to another account, below a folder of root alone', async () => {
  await start();
  expect((await stat(join(root, 'hidden'))).mode & 0o777).toBe(0o700);
  expect((await stat(cluster)).uid).not.toBe(0);
  expect((await stat(`/proc/${await serverPid()}`)).uid).not.toBe(0);
});

const testWithOpenssl = spawnSync('openssl', ['version']).status === 0 ? test : test.skip;
testWithOpenssl('It is told over TLS to cancel a statement that was given up', async () => {
  const CANCEL_REQUEST = 80_877_102;
  const [key, certificate] = [join(cluster, 'server.key'), join(cluster, 'server.crt')];
  const made =
    'req -x509 -newkey rsa:2048 -nodes -subj /CN=sales.example -addext subjectAltName=IP:127.0.0.1';
  spawnSync('openssl', [...made.split(' '), '-keyout', key, '-out', certificate]);
  const { uid, gid } = await stat(cluster);
  for (const file of [key, certificate]) chownSync(file, uid, gid);
  const { url } = await start(dataDir, { ssl: 'on' });
  await query(url, 'CREATE SEQUENCE sleeps');
  for (const negotiation of ['postgres', 'direct']) {
    const proxy = await TcpProxy.to(url);
    const parameters = `sslmode=verify-full&sslrootcert=${certificate}&sslnegotiation=${negotiation}`;
    const DATABASE_URL = `${proxy.url}?${parameters}`;
    const config = Object.assign(new DatabaseConfig(), { DATABASE_URL });
    const options = dataSourceOptions(config, { statement_timeout: 0 });
    const source = await new DataSource(options).initialize();
    const sleep = { name: 'test_sleep', text: `SELECT nextval('sleeps'), pg_sleep(3600)` };
    await expect(new Database(source, config).run(sleep, [])).rejects.toThrow(
      'does not respond in time',
    );
    expect(await query(url, 'SELECT is_called FROM sleeps')).toEqual([{ is_called: true }]);
    await query(url, 'ALTER SEQUENCE sleeps RESTART');
    const sleeping = `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3600)' AND pid <> pg_backend_pid()`;
    const isOver = async () => (await query(url, sleeping)).length === 0;
    await eventually(isOver, 'the statement to end');
    await source.destroy();
    await proxy.close();
    expect(proxy.greetings).toHaveLength(2);
    for (const greeting of proxy.greetings)
      expect(greeting.readInt32BE(4)).not.toBe(CANCEL_REQUEST);
  }
});

test('A command uses the database of the service beside it, which a second service may not', async () => {
  expect(await findEmbeddedPostgres(dataDir)).toBeUndefined();
  const { child, ready } = spawnService();
  const url = await ready;
  const inUse = `is in use by the service running as process ${child.pid}`;
  await expect(start()).rejects.toThrow(inUse);
  expect(await findEmbeddedPostgres(dataDir)).toBe(url);
});

test('A command that has started the database for itself keeps others out', async () => {
  const command = await openEmbeddedPostgres(dataDir, { role: 'command', settings: SETTINGS });
  const inUse = `is in use by the command running as process ${process.pid}`;
  await expect(start()).rejects.toThrow(inUse);
  expect(await findEmbeddedPostgres(dataDir)).toBeUndefined();
  await command.stop();
});

test('A start that cannot succeed says why in one line, and leaves nothing in the way of a right one', async () => {
  const wrong = start(dataDir, { max_connections: 'many' });
  const invalid = /^PostgreSQL did not start: invalid value for .*"max_connections": "many"$/;
  await expect(wrong).rejects.toThrow(invalid);
  const version = join(cluster, 'PG_VERSION');
  await writeFile(version, '17\n');
  const incompatible = /^PostgreSQL did not start: database files are incompatible with server$/;
  await expect(start()).rejects.toThrow(incompatible);
  await writeFile(version, '18\n');
  await expect(start(version)).rejects.toThrow(`The data folder ${version} cannot be used`);
  const owner = (await stat(cluster)).uid;
  const user = jest.spyOn(process, 'geteuid').mockReturnValue(owner + 54_321);
  await expect(start()).rejects.toThrow(
    `The data folder ${dataDir} belongs to another user: start the service as the user ${owner}, or choose another folder with DATA_DIR.`,
  );
  user.mockRestore();
  await start();
});

describe('After kill -9', () => {
  test.each(['the service', 'the server', 'the guard'])(
    'of the service and %s, the next start has all',
    async (also) => {
      const { child, ready } = spawnService();
      await query(await ready, `CREATE TABLE "${also}" AS SELECT 1 AS value`);
      const [server, guard] = [await serverPid(), await guardPid()];
      if (also === 'the guard') process.kill(guard, 'SIGKILL');
      if (also === 'the server') process.kill(server, 'SIGKILL'); // first: the guard would end it
      await kill(child);
      const { url } = await start();
      expect(await query(url, `SELECT value FROM "${also}"`)).toEqual(KEPT);
      expect(await runs(server)).toBe(false);
    },
  );

  test('of the server, the service ends too', async () => {
    const { child, ready } = spawnService();
    await ready;
    const exited = once(child, 'exit');
    process.kill(await serverPid(), 'SIGKILL');
    expect(await exited).toEqual([1, null]);
  });

  test('or SIGTERM of the service, PostgreSQL ends, though a session goes on', async () => {
    const { child, ready } = spawnService();
    const session = new Client(await ready);
    session.on('error', () => undefined); // it is cut
    await session.connect();
    const pids = [await serverPid(), await guardPid()];
    child.kill('SIGTERM');
    const areOver = async () => !(await Promise.all(pids.map(runs))).includes(true);
    await eventually(areOver, 'PostgreSQL and its guard to end');
    await session.end().catch(() => undefined);
  });

  test('the numbers of the dead may belong to other programs', async () => {
    const { child, ready } = spawnService();
    await ready;
    process.kill(await serverPid(), 'SIGKILL');
    await kill(child);
    const unrelated = spawn('sleep', ['3600']);
    children.push(unrelated);
    const file = join(cluster, 'postmaster.pid');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(unrelated.pid)));
    await start();
    expect(await runs(unrelated.pid!)).toBe(true);
  });
});
