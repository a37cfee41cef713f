import { spawn, spawnSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { DatabaseConfig } from '../../src/config/database.config.js';
import { dataSourceOptions } from '../../src/database/connections.js';
import { Database } from '../../src/database/database.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import {
  EmbeddedPlayground,
  kill,
  query,
  retry,
  runs,
  serverOf,
  connect,
  guardOf,
} from './embedded-playground.js';

describe('The embedded PostgreSQL', () => {
  let playground: EmbeddedPlayground;
  let dataDir: string;

  beforeAll(async () => {
    playground = await EmbeddedPlayground.make();
    const hidden = join(playground.root, 'hidden');
    await mkdir(hidden, { mode: 0o700 }); // also where it runs as another account than root
    dataDir = join(hidden, 'project', '.data');
    const { url } = await playground.start(dataDir);
    await query(url, 'CREATE TABLE kept AS SELECT 1 AS value');
    await playground.stopAll();
  });

  afterEach(() => playground.stopAll());

  afterAll(() => rm(playground.root, { recursive: true }));

  describe('The first start', () => {
    test('makes a database of UTF-8, compared by code point, in UTC; the second keeps its data', async () => {
      const { url } = await playground.start(dataDir);
      expect(await query(url, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
      const sql = `SELECT datname, pg_encoding_to_char(encoding) AS encoding, datlocale, current_setting('TimeZone') AS zone
                   FROM pg_database WHERE datname = current_database()`;
      const expected = { datname: 'sales', encoding: 'UTF8', datlocale: 'C.UTF-8', zone: 'UTC' };
      expect(await query(url, sql)).toEqual([expected]);
    });

    test('that was killed half-way is done anew, by one of several at the same instant', async () => {
      const folder = join(playground.root, 'killed');
      await mkdir(folder);
      const { child } = playground.spawnService(folder);
      await retry(async () =>
        expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^postgres\.new/)),
      );
      await kill(child);
      const results = await Promise.allSettled([1, 2, 3, 4].map(() => playground.start(folder)));
      const refused = results.filter((result) => result.status === 'rejected');
      expect(refused).toHaveLength(3);
      for (const { reason } of refused)
        expect(reason.message).toMatch(/is in use by the service running as process/);
      const [started] = results.filter((result) => result.status === 'fulfilled');
      expect(await query(started!.value.url, 'SELECT current_database() AS name')).toEqual([
        { name: 'sales' },
      ]);
      expect((await readdir(folder)).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
    });
  });

  describe('The running database', () => {
    test('takes only those who know the password, which only the owner can read', async () => {
      const { url } = await playground.start(dataDir);
      const guess = new URL(url);
      guess.password = 'guess';
      await expect(query(guess.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
      const file = join(dataDir, 'postgres', 'password');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readFile(file, 'utf8')).toContain(new URL(url).password);
    });

    test('comes back at the same address when it is killed', async () => {
      const { url } = await playground.start(dataDir);
      await query(url, 'CREATE TABLE IF NOT EXISTS survives_the_server AS SELECT 1 AS value');
      process.kill(await serverOf(dataDir), 'SIGKILL');
      expect(await retry(() => query(url, 'SELECT value FROM survives_the_server'))).toEqual([
        { value: 1 },
      ]);
    });

    const testWithOpenssl = spawnSync('openssl', ['version']).status === 0 ? test : test.skip;
    testWithOpenssl('is told over TLS to cancel a statement that was given up', async () => {
      const CANCEL_REQUEST = 80_877_102;
      const cluster = join(dataDir, 'postgres');
      const [key, certificate] = [join(cluster, 'server.key'), join(cluster, 'server.crt')];
      const made =
        'req -x509 -newkey rsa:2048 -nodes -subj /CN=sales.example -addext subjectAltName=IP:127.0.0.1';
      spawnSync('openssl', [...made.split(' '), '-keyout', key, '-out', certificate]);
      const { uid, gid } = statSync(cluster);
      for (const file of [key, certificate]) chownSync(file, uid, gid);
      const { url } = await playground.start(dataDir, { ssl: 'on' });
      await query(url, 'CREATE SEQUENCE sleeps');
      for (const negotiation of ['postgres', 'direct']) {
        const proxy = await TcpProxy.to(url);
        const parameters = `sslmode=verify-full&sslrootcert=${certificate}&sslnegotiation=${negotiation}`;
        const config = Object.assign(new DatabaseConfig(), {
          DATABASE_URL: `${proxy.url}?${parameters}`,
        });
        const options = dataSourceOptions(config, { statement_timeout: 0 });
        const source = await new DataSource(options).initialize();
        const sleep = { name: 'test_sleep', text: `SELECT nextval('sleeps'), pg_sleep(3600)` };
        await expect(new Database(source, config).run(sleep, [])).rejects.toThrow('timeout');
        expect(await query(url, 'SELECT is_called FROM sleeps')).toEqual([{ is_called: true }]);
        await query(url, 'ALTER SEQUENCE sleeps RESTART');
        const sleeping = `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3600)' AND pid <> pg_backend_pid()`;
        await retry(async () => expect(await query(url, sleeping)).toEqual([]));
        await source.destroy();
        await proxy.close();
        expect(proxy.greetings).toHaveLength(2);
        for (const greeting of proxy.greetings)
          expect(greeting.readInt32BE(4)).not.toBe(CANCEL_REQUEST);
      }
    });
  });

  describe('A command', () => {
    test('uses the database of the service beside it, which a second service may not, and leaves it running', async () => {
      const { child, ready } = playground.spawnService(dataDir);
      const url = await ready;
      await expect(playground.start(dataDir)).rejects.toThrow(
        `is in use by the service running as process ${child.pid}`,
      );
      const command = await playground.open(dataDir);
      expect(command.url).toBe(url);
      await command.stop();
      expect(await query(url, 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
    });

    test('starts one for itself when there is no service', async () => {
      const command = await playground.open(dataDir);
      const server = await serverOf(dataDir);
      expect(await query(command.url, 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
      await Promise.all([command.stop(), command.stop()]);
      expect(await runs(server)).toBe(false);
    });

    test('waits for another command, and so does the service', async () => {
      const first = await playground.open(dataDir);
      const waiting = Promise.all([
        playground.open(dataDir).then((second) => second.stop()),
        playground.start(dataDir).then((service) => service.stop()),
      ]);
      await delay(300);
      expect(await query(first.url, 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
      await first.stop();
      await waiting;
    });
  });

  describe('A start that cannot succeed says why in one line', () => {
    test('when a setting is wrong, and leaves nothing in the way of a right one', async () => {
      const wrong = playground.start(dataDir, { max_connections: 'many' });
      await expect(wrong).rejects.toThrow(
        /^PostgreSQL did not start: invalid value for .*"max_connections": "many"$/,
      );
      await playground.start(dataDir);
    });

    test('when the cluster is of another release, or the data folder is no folder or belongs to another user', async () => {
      const version = join(dataDir, 'postgres', 'PG_VERSION');
      await writeFile(version, '17\n');
      await expect(playground.start(dataDir)).rejects.toThrow(
        /^PostgreSQL did not start: database files are incompatible with server$/,
      );
      await writeFile(version, '18\n');
      await expect(playground.start(version)).rejects.toThrow(
        `The data folder ${version} cannot be used`,
      );
      const owner = (await stat(join(dataDir, 'postgres'))).uid;
      const user = jest.spyOn(process, 'geteuid').mockReturnValue(owner + 54_321);
      await expect(playground.start(dataDir)).rejects.toThrow(
        `The data folder ${dataDir} belongs to another user: start the service as the user ${owner}, or choose another folder with DATA_DIR.`,
      );
      user.mockRestore();
    });
  });

  const whenRoot = process.getuid?.() === 0 ? test : test.skip;
  whenRoot(
    'As root, the database belongs to another account, in a folder that only root may enter',
    async () => {
      await playground.start(dataDir);
      expect((await stat(join(playground.root, 'hidden'))).mode & 0o777).toBe(0o700);
      expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
      expect((await stat(`/proc/${await serverOf(dataDir)}`)).uid).not.toBe(0);
    },
  );

  describe('After kill -9', () => {
    test.each(['the service', 'the server', 'the guard'])(
      'of the service and %s, the next start has the data',
      async (also) => {
        const { child, ready } = playground.spawnService(dataDir);
        await query(await ready, 'CREATE TABLE IF NOT EXISTS committed (value text)');
        await query(await ready, `INSERT INTO committed VALUES ('${also}')`);
        const server = await serverOf(dataDir);
        const guard = await guardOf(dataDir);
        if (also === 'the guard') process.kill(guard, 'SIGKILL');
        if (also === 'the server') process.kill(server, 'SIGKILL'); // first: the guard would end it
        await kill(child);
        const { url } = await playground.start(dataDir);
        expect(
          await query(url, `SELECT value FROM committed WHERE value = '${also}'`),
        ).toHaveLength(1);
        expect(await runs(server)).toBe(false);
      },
    );

    test('or SIGTERM of the service, PostgreSQL ends', async () => {
      const { child, ready } = playground.spawnService(dataDir);
      const session = await connect(await ready); // one that goes on does not hold it up
      const server = await serverOf(dataDir);
      const guard = await guardOf(dataDir);
      child.kill('SIGTERM');
      await retry(async () =>
        expect([await runs(server), await runs(guard)]).toEqual([false, false]),
      );
      await session.end().catch(() => undefined);
    });

    test('the numbers of the dead may belong to other programs', async () => {
      const { child, ready } = playground.spawnService(dataDir);
      await ready;
      process.kill(await serverOf(dataDir), 'SIGKILL');
      await kill(child);
      const sleep = spawn('sleep', ['3600']);
      const unrelated = sleep.pid!;
      const file = join(dataDir, 'postgres', 'postmaster.pid');
      await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(unrelated)));
      try {
        await playground.start(dataDir);
        expect(await runs(unrelated)).toBe(true);
      } finally {
        await kill(sleep);
      }
    });
  });
});
