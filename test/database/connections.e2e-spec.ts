import pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { Restaurant } from '../../src/restaurants/restaurant.entity.js';
import { recordCommand } from '../../src/server/open-app.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const LIMITS = { DATABASE_POOL_MAX: 2, RESPONSE_TIMEOUT_MS: 5000 };

let near: TestApp;
let proxy: TcpProxy;
/** The same service behind the proxy, with few connections and short time limits. */
let limited: TestApp;
let database: Database;
let source: DataSource;
beforeAll(async () => {
  near = await createTestApp();
  proxy = await TcpProxy.to(near.database.url);
  limited = await near.another({ ...LIMITS, DATABASE_URL: proxy.url });
  database = limited.app.get(Database);
  source = limited.app.get(DataSource);
});
afterAll(async () => {
  await near.close();
  await proxy.close();
});

describe('Connections', () => {
  const PID = { name: 'test_pid', text: 'SELECT pg_backend_pid() AS pid' };
  const DIVIDE = { name: 'test_divide', text: 'SELECT 1 / $1::integer' };
  const BIGINT = { name: 'test_bigint', text: 'SELECT $1::bigint AS id' };

  const pidOf = async (): Promise<number> => (await database.run<{ pid: number }>(PID, []))[0]!.pid;

  const typeormPid = async (): Promise<number> =>
    (await source.query<{ pid: number }[]>(PID.text))[0]!.pid;

  test('An integer of 64 bits is a number', async () => {
    const largest = [{ id: 9007199254740991 }];
    expect(await database.run(BIGINT, ['9007199254740991'])).toEqual(largest);
    expect(await source.query(BIGINT.text, ['9007199254740991'])).toEqual(largest);
  });

  describe('A connection', () => {
    afterEach(() => proxy.forward());

    test.each([
      ['Database.run', pidOf, () => database.run(DIVIDE, [0])],
      ['TypeORM', typeormPid, () => source.query(DIVIDE.text, [0])],
      [
        'a transaction',
        typeormPid,
        () => database.transaction((own) => own.query(DIVIDE.text, [0])),
      ],
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

    test('that breaks while it is idle ends no process', async () => {
      const [before, ofTypeorm] = [await pidOf(), await typeormPid()];
      await near.database.query('SELECT pg_terminate_backend($1), pg_terminate_backend($2)', [before, ofTypeorm]); // prettier-ignore
      await eventually(async () => (await pidOf().catch(() => before)) !== before, 'a connection');
      expect(await eventually(() => typeormPid().catch(() => 0), 'a connection')).not.toBe(
        ofTypeorm,
      );
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
    await Promise.all(given.map((each) => expect(each).rejects.toThrow(/timeout|overloaded/)));
    expect(await near.database.query('SELECT last_value FROM sleeps')).toEqual([{ last_value: 2 }]);
    const sleeping = `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3600)%' AND pid <> pg_backend_pid()`;
    await eventually(
      async () => (await near.database.query(sleeping)).length === 0,
      'the statements to end',
    );
    await Promise.all(both('test_next', PID.text));
  });

  test('Every connection has a time limit but those of streams', async () => {
    const limits =
      "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock";
    const short = { statement: '2500ms', lock: '1500ms' };
    expect(await database.run({ name: 'test_limits', text: limits }, [])).toEqual([short]);
    expect(await source.query(limits)).toEqual([short]);
    expect((await database.streamRows(limits, []).next()).value).toMatchObject({ statement: '0' });
  });
});

describe('Transactions', () => {
  const ADD = `INSERT INTO restaurants (id, name) VALUES ($1, 'x')`;
  const PID = 'SELECT pg_backend_pid() AS pid';
  const COUNT = 'SELECT count(*)::integer FROM restaurants';
  const SLEEP = 'SELECT pg_sleep(60)';

  async function has(id: number): Promise<boolean> {
    return (await near.database.query('SELECT FROM restaurants WHERE id = $1', [id])).length > 0;
  }

  describe('A transaction', () => {
    test('commits the statements and the operations of TypeORM', async () => {
      const result = await database.transaction(async (transaction) => {
        await transaction.query(ADD, [1]);
        await transaction.getRepository(Restaurant).insert({ id: 2, name: 'y' });
        expect(await transaction.query(COUNT)).toEqual([{ count: 2 }]);
        expect(await has(1)).toBe(false);
        return 'done';
      });
      expect([result, await has(1), await has(2)]).toEqual(['done', true, true]);
    });

    test.each<[string, (transaction: EntityManager) => Promise<unknown>, RegExp]>([
      ['an error of the caller', () => Promise.reject(new Error('no')), /^no$/],
      ['a statement', (transaction) => transaction.query(ADD, [3]), /duplicate key/],
      [
        'a statement whose error was caught',
        (transaction) => transaction.query(ADD, [3]).catch(() => []),
        /transaction is aborted/,
      ],
    ])('writes nothing after %s, and keeps its connection', async (_what, fail, error) => {
      let pids: unknown;
      const work = database.transaction(async (transaction) => {
        pids = await transaction.query(PID);
        await transaction.query(ADD, [3]);
        await fail(transaction);
      });
      await expect(work).rejects.toThrow(error);
      expect(await has(3)).toBe(false);
      expect(await source.query(PID)).toEqual(pids);
    });

    test('ends with a statement that takes too long', async () => {
      await expect(database.transaction((transaction) => transaction.query(SLEEP))).rejects.toThrow(
        'timeout',
      );
      expect(await database.transaction((transaction) => transaction.query(PID))).toHaveLength(1);
    });
  });

  describe('What cannot be recorded is not done', () => {
    beforeEach(() => near.database.query('ALTER TABLE audit_log RENAME TO audit_log_away'));
    const bringBack = () => near.database.query('ALTER TABLE audit_log_away RENAME TO audit_log');

    let till: { username: string; token: string };
    beforeAll(async () => (till = await givenTill(limited)));

    test.each(['grant', 'ungrant'])('user %s --all', async (verb) => {
      const grants = `
    SELECT all_restaurants, array(SELECT restaurant_id FROM restaurant_grants WHERE user_id = id) AS ids
    FROM users WHERE username = $1`;
      const { username } = till;
      const before = await near.database.query(grants, [username]);
      const open = () => Promise.resolve({ app: limited.app, close: () => Promise.resolve() });
      const commands = new CommandLine(undefined, { open, record: recordCommand });
      const ran = await commands.run(['user', verb, username, '101', '--all']);
      await bringBack();
      expect(ran).toMatchObject({ status: 1, stdout: '' });
      expect(await near.database.query(grants, [username])).toEqual(before);
    });

    test.each([{}, { all: true }])('POST /api/v1/auth/revoke %j', async (body) => {
      const revoked = await limited.client.post('/api/v1/auth/revoke', body, till);
      await bringBack();
      expectError(revoked, 500);
      expect((await limited.client.get('/api/v1/restaurants', till)).status).toBe(200);
    });
  });
});

describe('Round trips', () => {
  let token: string;
  beforeAll(async () => ({ token } = await givenTill(near)));

  const upload = (one: ReturnType<typeof record>): Promise<Answer> =>
    near.client.upload(token, [one]);

  describe('What an upload asks the database', () => {
    test.each<[string, () => Promise<Answer>, number, string[]]>([
      ['saved', () => near.client.upload(token, day()), 200, ['save_uploads']],
      ['with a bad field', () => upload(record({ hour: 24 })), 400, []],
      [
        'for a restaurant that is not granted',
        () => upload(record({ restaurant_id: 999 })),
        403,
        ['save_uploads'],
      ],
      ['without a token', () => near.client.upload(undefined, day()), 401, []],
    ])('%s', async (_row, send, status, statements) => {
      const run = jest.spyOn(near.app.get(Database), 'run');
      expect((await send()).status).toBe(status);
      expect(run.mock.calls.map(([{ name }]) => name)).toEqual(statements);
      run.mockRestore();
    });
  });

  test('a login runs five statements, a wrong password five', async () => {
    const { username } = await givenTill(near, { password: 'right password' });
    const query = jest.spyOn(pg.Client.prototype, 'query');
    const statements = async (password: string): Promise<unknown[]> => {
      query.mockClear();
      await near.client.login(username, password);
      return query.mock.calls.map(([sent]) => {
        const { name } = Object(sent) as { name?: string };
        return name ?? /^\w+ \w+ "\w+"/.exec(sent)?.[0];
      });
    };
    const counted = ['find_login', 'count_login_failure'];
    const audited = 'INSERT INTO "audit_log"';
    const right = [...counted, 'succeed_login', 'insert_token', audited];
    expect(await statements('right password')).toEqual(right);
    const wrong = [...counted, 'count_login_failure', 'count_login_failure', audited];
    expect(await statements('wrong password')).toEqual(wrong);
    query.mockRestore();
  });
});
