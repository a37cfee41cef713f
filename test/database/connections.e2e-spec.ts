import pg from 'pg';
import { DataSource } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { DatabaseTimeout } from '../../src/database/timed-pool.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const LIMITS = { DATABASE_POOL_MAX: 2, RESPONSE_TIMEOUT_MS: 5000 };
const PID = { name: 'test_pid', text: 'SELECT pg_backend_pid() AS pid' };

let near: TestApp;
let till: { username: string; password: string; token: string };
let proxy: TcpProxy;
/** The same service behind the proxy, with few connections and short time limits. */
let limited: TestApp;
let database: Database;
let source: DataSource;
beforeAll(async () => {
  near = await createTestApp();
  till = await givenTill(near);
  proxy = await TcpProxy.to(near.database.url);
  limited = await near.another({ ...LIMITS, DATABASE_URL: proxy.url });
  database = limited.app.get(Database);
  source = limited.app.get(DataSource);
});
afterAll(async () => {
  await near.close();
  await proxy.close();
});

const pidOf = async (): Promise<number> => (await database.run<{ pid: number }>(PID, []))[0]!.pid;

const typeormPid = async (): Promise<number> =>
  (await source.query<{ pid: number }[]>(PID.text))[0]!.pid;

test('An integer of 64 bits is a number', async () => {
  const text = 'SELECT 9007199254740991::bigint AS id';
  const largest = [{ id: 9007199254740991 }];
  expect(await database.run({ name: 'test_bigint', text }, [])).toEqual(largest);
  expect(await source.query(text)).toEqual(largest);
});

describe('A connection', () => {
  afterEach(() => proxy.forward());

  const DIVIDE = { name: 'test_divide', text: 'SELECT 1 / $1::integer' };
  test.each([
    ['Database.run', pidOf, () => database.run(DIVIDE, [0])],
    ['TypeORM', typeormPid, () => source.query(DIVIDE.text, [0])],
    ['a transaction', typeormPid, () => database.transaction((own) => own.query(DIVIDE.text, [0]))],
  ])('survives error responses of %s, whose end comes later', async (_name, pid, fail) => {
    const before = await pid();
    proxy.separateReadiness();
    for (let count = 0; count < 3; count++)
      await expect(fail()).rejects.toMatchObject({ code: '22012' });
    expect(await pid()).toBe(before);
  });

  test('is dropped when it breaks under a statement', async () => {
    const before = await pidOf();
    const sleeping = database.run({ name: 'test_sleep', text: 'SELECT pg_sleep(60)' }, []);
    const failed = expect(sleeping).rejects.toThrow();
    while ((await near.database.query('SELECT pg_terminate_backend($1)', [before])).length === 0);
    await failed;
    expect(await pidOf()).not.toBe(before);
  });

  test('is dropped when its statement is canceled, which may hold it for longer', async () => {
    const before = await pidOf();
    const text = `DO $$ BEGIN RAISE 'canceled' USING ERRCODE = 'query_canceled'; END $$`;
    const canceled = database.run({ name: 'test_canceled', text }, []);
    await expect(canceled).rejects.toMatchObject({ status: 503, cause: { code: '57014' } });
    expect(await pidOf()).not.toBe(before);
  });

  test('that breaks while it is idle ends no process', async () => {
    const pids = [await pidOf(), await typeormPid()];
    await near.database.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid', [
      pids,
    ]);
    for (const [index, pid] of [pidOf, typeormPid].entries()) {
      const next = await eventually(() => pid().catch(() => 0), 'a connection');
      expect(next).not.toBe(pids[index]);
    }
  });

  test('has a time limit, but those of streams', async () => {
    const text =
      "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock";
    const short = { statement: '2s', lock: '1500ms' };
    expect(await database.run({ name: 'test_limits', text }, [])).toEqual([short]);
    expect(await source.query(text)).toEqual([short]);
    expect((await database.streamRows(text, []).next()).value).toMatchObject({ statement: '0' });
  });
});

test('A statement that is given up leaves no backend at work, though PostgreSQL does not end it itself', async () => {
  const { app } = await near.another(LIMITS);
  /** By way of Database.run and of TypeORM at once, on the two connections that there are. */
  const both = (name: string, text: string): Promise<unknown>[] => [
    app.get(Database).run({ name, text }, []),
    app.get(DataSource).query(text),
  ];
  const unlimited = `SELECT set_config('statement_timeout', '0', false), pg_sleep(0.2)`;
  await Promise.all(both('test_unlimited', unlimited));
  await near.database.query('CREATE SEQUENCE sleeps; GRANT USAGE ON sleeps TO sales_service');
  const given = both('test_long', `SELECT nextval('sleeps'), pg_sleep(3600)`);
  await Promise.all(given.map((each) => expect(each).rejects.toThrow('does not respond in time')));
  expect(await near.database.query('SELECT last_value FROM sleeps')).toEqual([{ last_value: 2 }]);
  const sleeping = `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3600)%' AND pid <> pg_backend_pid()`;
  const isOver = async () => (await near.database.query(sleeping)).length === 0;
  await eventually(isOver, 'the statements to end');
  await Promise.all(both('test_next', PID.text));
});

test('A transaction writes nothing where the error of a statement was caught, and keeps its connection; one that takes too long ends', async () => {
  const add = `INSERT INTO restaurants (id, name) VALUES (1, 'x')`;
  let pids: unknown;
  const work = database.transaction(async (transaction) => {
    pids = await transaction.query(PID.text);
    await transaction.query(add);
    await transaction.query(add).catch(() => []);
  });
  await expect(work).rejects.toThrow(/transaction is aborted/);
  expect(await near.database.query('SELECT FROM restaurants WHERE id = 1')).toEqual([]);
  expect(await source.query(PID.text)).toEqual(pids);
  const sleep = database.transaction((transaction) => transaction.query('SELECT pg_sleep(60)'));
  await expect(sleep).rejects.toBeInstanceOf(DatabaseTimeout);
  expect(await database.transaction((own) => own.query(PID.text))).toHaveLength(1);
});

describe('What cannot be recorded is not done', () => {
  beforeEach(() => near.database.query('ALTER TABLE audit_log RENAME TO audit_log_away'));
  const bringBack = () => near.database.query('ALTER TABLE audit_log_away RENAME TO audit_log');

  test('user grant --all', async () => {
    const find = () => near.database.query('SELECT all_restaurants AS all FROM users');
    const ran = await CommandLine.opening(near.config).run([
      'user',
      'grant',
      till.username,
      '--all',
    ]);
    await bringBack();
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(await find()).toEqual([{ all: false }]);
  });

  test.each([{}, { all: true }])('POST /api/v1/auth/revoke %j', async (body) => {
    const revoked = await near.client.post('/api/v1/auth/revoke', body, till);
    await bringBack();
    expectError(revoked, 500);
    expect((await near.client.get('/api/v1/restaurants', till)).status).toBe(200);
  });
});

describe('What the database is asked', () => {
  const upload = (records: unknown, token?: string) => near.client.upload(token, records);
  const elsewhere = [record({ restaurant_id: 999 })];

  test.each<[string, () => Promise<Answer>, number, string[]]>([
    ['that is saved', () => upload(day(), till.token), 200, ['save_uploads']],
    ['with a bad field', () => upload([record({ hour: 24 })], till.token), 400, []],
    ['for another restaurant', () => upload(elsewhere, till.token), 403, ['save_uploads']],
    ['without a token', () => upload(day()), 401, []],
  ])('by an upload %s', async (_row, send, status, statements) => {
    const run = jest.spyOn(near.app.get(Database), 'run');
    expect((await send()).status).toBe(status);
    expect(run.mock.calls.map(([{ name }]) => name)).toEqual(statements);
    run.mockRestore();
  });

  const COUNTED = ['find_login', 'count_login_failure'];
  test.each([
    ['right password', ['succeed_login', 'issue_token']],
    ['wrong password', ['count_login_failure', 'count_login_failure', 'INSERT INTO "audit_log"']],
  ])('by a login with a %s', async (password, own) => {
    const query = jest.spyOn(pg.Client.prototype, 'query');
    await near.client.login(till.username, password);
    const statements = query.mock.calls.map(([sent]) => {
      const { name } = Object(sent) as { name?: string };
      return name ?? /^\w+ \w+ "\w+"/.exec(sent)?.[0];
    });
    query.mockRestore();
    expect(statements).toEqual([...COUNTED, ...own]);
  });
});
