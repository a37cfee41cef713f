import { hash } from 'bcrypt';
import pino from 'pino';
import { createApp } from '../../src/create-app.js';
import { Database } from '../../src/database/database.js';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { serve } from '../../src/server/serve.js';
import { PasswordsService } from '../../src/users/passwords.service.js';
import { UsersService } from '../../src/users/users.service.js';
import { Client } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenTill, givenUser } from '../support/given.js';
import { RIGHT, tally } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

const MANY = 1_000_000;
const UNLIMITED = {
  LOGIN_MAX_FAILURES: MANY,
  LOGIN_USERNAME_MAX_FAILURES: MANY,
  LOGIN_ADDRESS_MAX_FAILURES: MANY,
};

let service: TestApp;
beforeAll(async () => (service = await createTestApp({ BCRYPT_COST: 6 })));
afterAll(() => service.close());

const statusOf = async (username: string, password = RIGHT, { client } = service) =>
  (await client.login(username, password)).status;

test.each([
  ['as it was', 8],
  ['after the cost was raised', 11],
])(
  'A login of an unknown user takes as much work as that of a known and a disabled one, %s',
  async (_row, BCRYPT_COST) => {
    const before = await service.another({ BCRYPT_COST: 8 });
    const [known, disabled] = [await givenUser(before), await givenUser(before)];
    const users = before.app.get(UsersService);
    await users.setDisabled(await users.get(disabled), true);
    const slow = await service.another({ BCRYPT_COST, ...UNLIMITED });
    // CPU time, since a busy machine may let none of a user's logins run undisturbed.
    const least = new Map([known, disabled, 'nobody'].map((username) => [username, Infinity]));
    const areSame = (): boolean => Math.max(...least.values()) < 1.5 * Math.min(...least.values());
    for (let round = 0; round < 9 || (round < 100 && !areSame()); round++) {
      for (const [username, microseconds] of least) {
        const before = process.cpuUsage();
        expect(await statusOf(username, 'wrong', slow)).toBe(401);
        const { user, system } = process.cpuUsage(before);
        least.set(username, Math.min(microseconds, user + system));
      }
    }
    await service.database.query('TRUNCATE login_counters'); // the address would be locked for others
    expect([least, areSame()]).toEqual([least, true]);
  },
);

test('A user of an earlier release whose name has an invisible character logs in', async () => {
  const name = await givenUser(service);
  const stored = `${name}\u200b`;
  const rename = 'UPDATE users SET username = $2 WHERE username = $1';
  await service.database.query(rename, [name, stored]);
  expect(await statusOf(stored)).toBe(200);
  await expect(givenUser(service, { username: 'a\u202eb' })).rejects.toThrow(/invisible character/);
});

test('A login that would wait too long for a thread is 503 within the time limit, with the seconds to wait', async () => {
  const RESPONSE_TIMEOUT_MS = stretched(4000);
  const limits = { HASH_THREADS: 1, HASH_QUEUE_MAX: 1000, BCRYPT_COST: 10, RESPONSE_TIMEOUT_MS };
  const busy = await service.another(limits);
  const username = await givenUser(service);
  const passwords = busy.app.get(PasswordsService);
  await passwords.hash('x'); // starts the thread
  const { ms } = await timed(() => passwords.hash('x'));
  // Far more than fit, as this one may have been slow: those whose time is over take none.
  const count = Math.ceil((4 * RESPONSE_TIMEOUT_MS) / ms);
  const jobs = Promise.allSettled(
    Array.from({ length: count }, () => passwords.matches('x', { passwordHash: null })),
  );
  const { result: answer, ms: waited } = await timed(() => busy.client.login(username, RIGHT));
  const wait = Number(answer.headers.get('Retry-After'));
  expect(wait).toBeGreaterThanOrEqual(1);
  const words = wait === 1 ? '1 second' : `${wait} seconds`;
  const text = `too many logins at this moment: please try again in ${words}"`;
  expectError(answer, 503, new RegExp(text));
  expect(waited).toBeLessThan(RESPONSE_TIMEOUT_MS);
  await jobs;
  expect(await statusOf(username, RIGHT, busy)).toBe(200);
});

test("A login's line in the log names the user, or a keyed hash of a name that nobody has", async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const app = await createApp(service.config, log);
  const client = new Client(await serve(app, { HOST: '127.0.0.1', PORT: 0 }));
  await app.get(UsersService).add('harbour-till', RIGHT);
  const { id } = (await app.get(UsersService).find('harbour-till'))!;

  await client.login('harbour-till', RIGHT);
  await client.login('My-Password-In-The-Wrong-Field', 'x');
  for (let time = 0; time < 6; time++) await client.login('harbour-till', 'Wrong-Password');
  await app.close();

  const requests: any[] = lines
    .map((line) => JSON.parse(line))
    .filter(({ status }) => status !== undefined);
  expect(requests.map(({ status, login }) => [status, login])).toEqual([
    [200, `user:${id}`],
    [401, expect.stringMatching(/^name:[\w-]{22}$/)],
    ...Array.from({ length: 5 }, () => [401, `user:${id}`]),
    [429, `user:${id}`],
  ]);
  expect(new Set(requests.map(({ username }) => username))).toEqual(
    new Set(['harbour-till', undefined]),
  );
  for (const secret of ['Password', RIGHT, 'eyJ']) expect(lines.join('\n')).not.toContain(secret);
});

test.each([
  ['about failed logins', 'login_counters'],
  ['about tokens, once the password was right', 'tokens'],
])(
  'A login is 503 within five seconds, and gives no token, while the database does not answer %s',
  async (_row, table) => {
    const impatient = await service.another({ RESPONSE_TIMEOUT_MS: 5000 });
    const username = await givenUser(service);
    await service.database.query(`BEGIN; LOCK TABLE ${table}`);
    const { result: answer, ms } = await timed(() => impatient.client.login(username, RIGHT));
    await service.database.query('ROLLBACK');
    expectError(answer, 503, /the database does not respond in time: retry after/);
    expect(ms).toBeLessThan(stretched(5000));
    expect(await statusOf(username, RIGHT, impatient)).toBe(200);
  },
);

describe('The cost of a stored password hash', () => {
  const UPDATE = 'UPDATE users SET password_hash = $2 WHERE username = $1';
  const SELECT = 'SELECT password_hash AS hash FROM users WHERE username = $1';

  async function givenCost(username: string, cost: number): Promise<string> {
    const stored = await hash(RIGHT, cost);
    await service.database.query(UPDATE, [username, stored]);
    return stored;
  }
  const storedHash = async (username: string): Promise<string> =>
    (await service.database.query<{ hash: string }>(SELECT, [username]))[0]!.hash;

  test('is raised by right logins, fifty at once, and the password and the tokens stay as they are', async () => {
    const { username, token } = await givenTill(service, { password: RIGHT });
    const before = await givenCost(username, 4);
    const logins = Array.from({ length: 50 }, () => service.client.login(username, RIGHT));
    expect(tally(await Promise.all(logins))).toEqual({ 200: 50 });
    while ((await storedHash(username)) === before);
    expect(await storedHash(username)).toMatch(/^\$2b\$06\$/);
    expect(await statusOf(username)).toBe(200);
    expect(await statusOf(username, 'wrong')).toBe(401);
    expect((await service.client.get('/api/v1/restaurants', { token })).status).toBe(200);
  });

  test.each([
    ['a wrong password', 4, 'wrong', 401],
    ['a hash of the same cost', 6, RIGHT, 200],
    ['a hash of a higher cost', 7, RIGHT, 200],
  ])('is left alone by %s', async (_row, cost, password, status) => {
    const username = await givenUser(service);
    const before = await givenCost(username, cost);
    const hashing = jest.spyOn(service.app.get(PasswordsService), 'hashSoon').mockClear();
    expect(await statusOf(username, password)).toBe(status);
    expect(hashing).not.toHaveBeenCalled();
    expect(await storedHash(username)).toBe(before);
  });
});

describe('What logins leave behind', () => {
  beforeAll(() => service.database.query('TRUNCATE tokens, login_counters, known_addresses'));

  const count = async (table: string): Promise<number> =>
    (await service.database.query<{ count: number }>(`SELECT count(*)::int FROM ${table}`))[0]!
      .count;

  /** Rows of each kind that expired, a hundred more than one statement deletes. */
  const givenExpired = () =>
    service.database.query(`
      INSERT INTO tokens (jti, user_id, issued_at, expires_at)
      SELECT gen_random_uuid(), 1, now(), now() - interval '6 minutes' FROM generate_series(1, 1100);
      INSERT INTO login_counters (key, failures, locked, ends_at)
      SELECT 'name:' || i, 1, false, now() - interval '6 minutes' FROM generate_series(1, 1100) AS i;
      INSERT INTO known_addresses (user_id, network, last_login_at)
      SELECT 1, '10.0.' || i, now() - interval '31 days' FROM generate_series(1, 1100) AS i`);

  test('is deleted every ten minutes once it is expired, by however many instances, and nothing else', async () => {
    const username = await givenUser(service);
    await givenExpired();
    const [token, other] = [await service.client.token(username, RIGHT), await service.another()];
    await Promise.all([service, other].map(({ app }) => app.get(Housekeeping).run()));
    expect([await count('tokens'), await count('known_addresses')]).toEqual([1, 1]);
    expect(await count('login_counters')).toBeLessThanOrEqual(1);
    expect((await service.client.get('/api/v1/restaurants', { token })).status).toBe(200);
  });

  test('is deleted by an interval, which ends with the application', () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
    const housekeeping = new Housekeeping(service.app.get(Database));
    const run = jest.spyOn(housekeeping, 'run').mockResolvedValue();
    jest.advanceTimersByTime(1_200_000);
    housekeeping.onModuleDestroy();
    jest.advanceTimersByTime(1_200_000);
    jest.useRealTimers();
    expect(run).toHaveBeenCalledTimes(2);
  });

  test('and cannot be deleted keeps nothing of another kind', async () => {
    await givenExpired();
    const database = service.app.get(Database);
    const run = database.run.bind(database);
    jest
      .spyOn(database, 'run')
      .mockImplementation((statement, values) =>
        statement.name === 'delete_old_tokens'
          ? Promise.reject(new Error('no'))
          : run(statement, values),
      );
    await service.app.get(Housekeeping).run();
    expect([await count('tokens'), await count('known_addresses')]).toEqual([1101, 1]);
  });
});
