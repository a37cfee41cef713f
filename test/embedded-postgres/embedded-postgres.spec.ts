import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPlayground, kill, query, retry, runs, serverOf } from '../support/embedded-playground.js';

let playground: EmbeddedPlayground;
let dataDir: string;

beforeAll(async () => {
  playground = await EmbeddedPlayground.make();
  dataDir = join(playground.root, 'data');
  await playground.start(dataDir);
  await playground.stopAll();
});

afterEach(() => playground.stopAll());

afterAll(() => playground.remove());

describe('The first start', () => {
  test('makes the cluster; the second keeps the data', async () => {
    const folder = join(playground.root, 'first');
    const first = await playground.start(folder);
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS value');
    await first.stop();
    const second = await playground.start(folder);
    expect(await query(second.url, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
  });

  test('makes a database of UTF-8, compared by code point, in UTC', async () => {
    const { url } = await playground.start(dataDir);
    const sql = `SELECT datname, pg_encoding_to_char(encoding) AS encoding, datlocale, current_setting('TimeZone') AS zone
                   FROM pg_database WHERE datname = current_database()`;
    const expected = { datname: 'sales', encoding: 'UTF8', datlocale: 'C.UTF-8', zone: 'UTC' };
    expect(await query(url, sql)).toEqual([expected]);
  });

  test('succeeds for one of several at the same instant', async () => {
    const folder = join(playground.root, 'race');
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => playground.start(folder)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(3);
    for (const { reason } of refused) expect(reason.message).toMatch(/is in use by the service running as process/);
  });

  test.each([150, 400])('that was killed after %i ms is done anew', async (milliseconds) => {
    const folder = join(playground.root, `killed-${milliseconds}`);
    await mkdir(folder);
    const { child } = playground.spawnService(folder);
    await delay(milliseconds);
    await kill(child);
    const { url } = await playground.start(folder);
    expect(await query(url, 'SELECT current_database() AS name')).toEqual([{ name: 'sales' }]);
    expect((await readdir(folder)).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
  });
});

describe('The running database', () => {
  test('takes only those who know the password, which only the owner can read', async () => {
    const { url } = await playground.start(dataDir);
    const guess = new URL(url);
    guess.password = 'guess';
    await expect(query(guess.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    const file = join(dataDir, 'embedded.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain(new URL(url).password);
  });

  test('is refused to a second holder', async () => {
    await playground.start(dataDir);
    const second = playground.start(dataDir);
    await expect(second).rejects.toThrow(`is in use by the service running as process ${process.pid}`);
  });

  test('leaves no process when it is stopped, however often', async () => {
    const postgres = await playground.start(dataDir);
    const server = await serverOf(dataDir);
    await Promise.all([postgres.stop(), postgres.stop()]);
    expect(await runs(server)).toBe(false);
  });

  test('comes back at the same address when it is killed', async () => {
    const { url } = await playground.start(dataDir);
    await query(url, 'CREATE TABLE IF NOT EXISTS survives_the_server AS SELECT 1 AS value');
    process.kill(await serverOf(dataDir), 'SIGKILL');
    expect(await retry(() => query(url, 'SELECT value FROM survives_the_server'))).toEqual([{ value: 1 }]);
  });
});

describe('A command', () => {
  test('uses the database of the service beside it, and leaves it running', async () => {
    const url = await playground.spawnService(dataDir).ready;
    const command = await playground.open(dataDir);
    expect(command.url).toBe(url);
    await command.stop();
    expect(await query(url, 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
  });

  test('starts one for itself when there is no service', async () => {
    const command = await playground.open(dataDir);
    const server = await serverOf(dataDir);
    expect(await query(command.url, 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
    await command.stop();
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
    await expect(wrong).rejects.toThrow(/^PostgreSQL did not start: invalid value for .*"max_connections": "many"$/);
    await playground.start(dataDir);
  });

  test('when the cluster is of another release', async () => {
    const folder = join(playground.root, 'old');
    await mkdir(join(folder, 'postgres'), { recursive: true });
    await writeFile(join(folder, 'postgres', 'PG_VERSION'), '17\n');
    await expect(playground.start(folder)).rejects.toThrow(/was made by PostgreSQL 17, and this is PostgreSQL 18/);
  });

  test('when the data folder is no folder', async () => {
    const file = join(playground.root, 'file');
    await writeFile(file, '');
    await expect(playground.start(file)).rejects.toThrow(`The data folder ${file} cannot be used`);
  });
});

const whenRoot = process.getuid?.() === 0 ? describe : describe.skip;

whenRoot('As root', () => {
  test('it runs in a folder that only root may enter', async () => {
    const hidden = join(playground.root, 'hidden');
    await mkdir(hidden, { mode: 0o700 });
    const { url } = await playground.start(join(hidden, 'project', '.data'));
    expect(await query(url, 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
  });

  test('the database belongs to another account', async () => {
    await playground.start(dataDir);
    expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
    expect((await stat(`/proc/${await serverOf(dataDir)}`)).uid).not.toBe(0);
  });
});
