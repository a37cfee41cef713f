import { DataSource } from 'typeorm';
import { CircuitOpen } from '../../src/database/circuit-breaker.js';
import { Database, poolOf } from '../../src/database/database.js';
import { eventually } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const PID = { name: 'test_pid', text: 'SELECT pg_backend_pid() AS pid' };
const DIVIDE = { name: 'test_divide', text: 'SELECT 1 / $1::integer' };

let near: TestApp;
let proxy: TcpProxy;
let database: Database;
let source: DataSource;
beforeAll(async () => {
  near = await createTestApp();
  proxy = await TcpProxy.to(near.database.url);
  const { app } = await near.another({ DATABASE_URL: proxy.url, DATABASE_POOL_MAX: 1, RESPONSE_TIMEOUT_MS: 5000 });
  database = app.get(Database);
  source = app.get(DataSource);
});
afterAll(async () => {
  await near.close();
  await proxy.close();
});

const pidOf = async (): Promise<number> => (await database.run<{ pid: number }>(PID, []))[0]!.pid;

test.each([
  ['9007199254740991', 9007199254740991],
  ['-5', -5],
])('An integer of 64 bits is a number: %s', async (text, value) => {
  expect(await database.run({ name: 'test_bigint', text: 'SELECT $1::bigint AS id' }, [text])).toEqual([{ id: value }]);
  expect(await source.query('SELECT $1::bigint AS id', [text])).toEqual([{ id: value }]);
});

test('An integer that a number cannot hold exactly is an error, and the pool goes on', async () => {
  const reading = database.run({ name: 'test_bigint', text: 'SELECT $1::bigint AS id' }, ['9007199254740993']);
  await expect(reading).rejects.toThrow('9007199254740993 is beyond the integers that a number holds exactly');
  expect(await pidOf()).toEqual(expect.any(Number));
});

describe('A connection', () => {
  afterEach(() => proxy.forward());

  test('survives an error response', async () => {
    const before = await pidOf();
    for (let count = 0; count < 20; count++)
      await expect(database.run(DIVIDE, [0])).rejects.toMatchObject({ code: '22012' });
    expect(await pidOf()).toBe(before);
    expect(poolOf(source).totalCount).toBe(1);
  });

  test.each([
    ['Database.run', () => database.run(DIVIDE, [0])],
    ['TypeORM', () => source.query(DIVIDE.text, [0])],
    ['a transaction', () => database.transaction((transaction) => transaction.run(DIVIDE, [0]))],
  ])('survives an error response of %s that arrives before the rest', async (_name, fail) => {
    const before = await pidOf();
    proxy.separateReadiness();
    await expect(fail()).rejects.toMatchObject({ code: '22012' });
    expect(await pidOf()).toBe(before);
  });

  test('keeps no listener of an error response', async () => {
    const listeners = async (): Promise<number> => {
      const client = await poolOf(source).connect();
      client.release();
      return client.connection.listenerCount('error');
    };
    const before = await listeners();
    proxy.separateReadiness();
    await expect(database.run(DIVIDE, [0])).rejects.toMatchObject({ code: '22012' });
    expect(await listeners()).toBe(before);
  });

  test('is dropped when it breaks under a statement', async () => {
    const before = await pidOf();
    const sleeping = database.run({ name: 'test_sleep', text: 'SELECT pg_sleep(60)' }, []);
    const failed = expect(sleeping).rejects.toThrow();
    while ((await near.database.query('SELECT pg_terminate_backend($1)', [before])).length === 0);
    await failed;
    expect(await pidOf()).not.toBe(before);
  });

  test('that breaks while it is idle ends no process', async () => {
    const before = await pidOf();
    await near.database.query('SELECT pg_terminate_backend($1)', [before]);
    while (poolOf(source).totalCount > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await pidOf()).not.toBe(before);
  });
});

describe('Once a statement timed out, the next ones fail at once', () => {
  const ways: [string, () => Promise<unknown>][] = [
    ['Database.run', () => database.run(PID, [])],
    ['TypeORM', () => source.query(PID.text)],
    ['a transaction of TypeORM', () => source.transaction((manager) => manager.query(PID.text))],
    ['streamRows', () => database.streamRows(PID.text, []).next()],
    ['streamCopy', () => database.streamCopy(PID.text, 'text').next()],
  ];
  test.each(ways.slice(0, 3))('of %s', async (_name, run) => {
    await run();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    proxy.hold();
    await expect(run()).rejects.toThrow('Query read timeout');
    for (const [, other] of ways) await expect(other()).rejects.toThrow(CircuitOpen);
    proxy.forward();
    clock.mockRestore(); // the cooldown is over: the timeout alone took longer
    for (const [, other] of ways) await other();
  });
});

describe('A statement that is given up leaves no backend at work', () => {
  beforeAll(() => near.database.query('CREATE SEQUENCE sleeps; GRANT USAGE ON sleeps TO sales_service'));
  const SLEEP = `SELECT nextval('sleeps'), pg_sleep(61)`;
  const SLEEPING = `
    SELECT count(*)::integer AS count FROM pg_stat_activity WHERE query LIKE '%pg_sleep(61)%' AND pid <> pg_backend_pid()`;
  const sleeping = async (): Promise<number> => (await near.database.query<{ count: number }>(SLEEPING))[0]!.count;

  test.each([
    ['Database.run', ({ app }: TestApp) => app.get(Database).run({ name: 'long_sleep', text: SLEEP }, [])],
    ['TypeORM', ({ app }: TestApp) => app.get(DataSource).query(SLEEP)],
  ])('of %s, though PostgreSQL does not end it itself', async (_name, run) => {
    const service = await near.another({ DATABASE_POOL_MAX: 1, RESPONSE_TIMEOUT_MS: 5000 });
    await service.app.get(DataSource).query('SET statement_timeout = 0');
    await expect(run(service)).rejects.toThrow('Query read timeout');
    expect(await near.database.query('SELECT is_called FROM sleeps')).toEqual([{ is_called: true }]);
    await near.database.query('ALTER SEQUENCE sleeps RESTART');
    await eventually(async () => (await sleeping()) === 0, 'the statement to end');
  });
});

test('Every connection has a time limit but those of streams', async () => {
  const limits = "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock";
  const limited = { statement: '2500ms', lock: '1500ms' };
  expect(await database.run({ name: 'test_limits', text: limits }, [])).toEqual([limited]);
  expect(await source.query(limits)).toEqual([limited]);
  expect((await database.streamRows(limits, []).next()).value).toMatchObject({ statement: '0' });
});
