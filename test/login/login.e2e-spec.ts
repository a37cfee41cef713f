import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { hash } from 'bcrypt';
import { Client as Postgres } from 'pg';
import pino from 'pino';
import { createApp } from '../../src/create-app.js';
import { Database } from '../../src/database/database.js';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { UsersService } from '../../src/users/users.service.js';
import { Client } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { givenUser, RIGHT, tally } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

let service: TestApp;
beforeAll(async () => (service = await createTestApp({ BCRYPT_COST: 6 })));
afterAll(() => service.close());

/** The milliseconds that work took, without those in which threads of this process waited for a processor; Linux says. */
async function undisturbedMs(work: () => Promise<unknown>): Promise<number> {
  const [begunAt, waited, used] = [performance.now(), waitedMs(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  const ms = performance.now() - begunAt - (waitedMs() - waited);
  return Math.max(ms, (user + system) / 1000); // several threads may have waited at the same time
}

function waitedMs(): number {
  try {
    const threads = readdirSync('/proc/self/task').map(
      (thread) => `/proc/self/task/${thread}/schedstat`,
    );
    return threads.reduce(
      (sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6,
      0,
    );
  } catch {
    return 0; // not Linux, or a thread has just ended
  }
}

describe('Time and lengths', () => {
  describe('POST /api/v1/auth/login', () => {
    test.each([
      ['73 bytes', 'ü'.repeat(36) + 'x', false],
      ['72 bytes', 'ü'.repeat(36), true],
      ['a NUL', 'a\0b', false],
      ['nothing', '', false],
    ])('setting a password of %s', async (_row, password, isFit) => {
      const username = await givenUser(service);
      const set = service.app.get(UsersService).setPassword(username, password);
      if (isFit) await set;
      else await expect(set).rejects.toMatchObject({ code: 'invalid_password' });
      expect((await service.client.login(username, isFit ? password : RIGHT)).status).toBe(200);
    });
  });

  test('Time tells a stranger nothing: an unknown user takes as long as a known and a disabled one', async () => {
    const many = 1_000_000;
    const { app, client } = await service.another({
      BCRYPT_COST: 8,
      LOGIN_MAX_FAILURES: many,
      LOGIN_USERNAME_MAX_FAILURES: many,
      LOGIN_ADDRESS_MAX_FAILURES: many,
    });
    const [known, disabled] = [await givenUser({ app }), await givenUser({ app })];
    await app.get(UsersService).setDisabled(disabled, true);
    const least = new Map([known, disabled, 'nobody'].map((username) => [username, Infinity]));
    const areSame = (): boolean => Math.max(...least.values()) < 2 * Math.min(...least.values());
    for (let round = 0; round < 9 || (round < 100 && !areSame()); round++) {
      for (const [username, ms] of least) {
        const login = async () => expect((await client.login(username, 'wrong')).status).toBe(401);
        least.set(username, Math.min(ms, await undisturbedMs(login)));
      }
    }
    expect([least, areSame()]).toEqual([least, true]);
  });
});

describe('The log of a login', () => {
  test("a login's line in the log names the user's id, or a keyed hash of a name that nobody has, and nothing typed", async () => {
    const lines: string[] = [];
    const app = await createApp(
      service.config,
      pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }),
    );
    await app.listen(0, '127.0.0.1');
    const client = new Client(
      `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`,
    );
    await app.get(UsersService).add('harbour-till', RIGHT);
    const { id } = (await app.get(UsersService).find('harbour-till'))!;

    await client.login('harbour-till', RIGHT);
    await client.login('harbour-till', 'Wrong-Password');
    await client.login('My-Password-In-The-Wrong-Field', 'x');
    for (let time = 0; time < 5; time++) await client.login('harbour-till', 'Wrong-Password');
    await app.close();

    const requests: any[] = lines
      .map((line) => JSON.parse(line))
      .filter(({ status }) => status !== undefined);
    expect(requests.map(({ status, login }) => [status, login])).toEqual([
      [200, `user:${id}`],
      [401, `user:${id}`],
      [401, expect.stringMatching(/^name:[\w-]{22}$/)],
      ...Array.from({ length: 4 }, () => [401, `user:${id}`]),
      [429, `user:${id}`],
    ]);
    for (const secret of ['Password', RIGHT, 'harbour-till', 'eyJ'])
      expect(lines.join('\n')).not.toContain(secret);
  });
});

describe('A login while the database does not answer', () => {
  let impatient: TestApp;
  beforeAll(async () => (impatient = await service.another({ RESPONSE_TIMEOUT_MS: 5000 })));

  test.each([
    ['about failed logins', 'login_counters'],
    ['about tokens, once the password was right', 'tokens'],
  ])('500 within five seconds, and no way in: %s', async (_row, table) => {
    const username = await givenUser(service);
    const holder = new Postgres(service.database.url);
    await holder.connect();
    await holder.query(`BEGIN; LOCK TABLE ${table}`);
    const { result: answer, ms } = await timed(() => impatient.client.login(username, RIGHT));
    await holder.end();
    expectError(answer, 500, /internal server error/);
    expect(ms).toBeLessThan(stretched(5000));
    expect((await impatient.client.login(username, RIGHT)).status).toBe(200);
  });
});

describe('The cost of a stored password hash', () => {
  async function storeWithCost(username: string, cost: number): Promise<string> {
    const stored = await hash(RIGHT, cost);
    await service.database.query('UPDATE users SET password_hash = $2 WHERE username = $1', [
      username,
      stored,
    ]);
    return stored;
  }

  async function storedHash(username: string): Promise<string> {
    const rows = await service.database.query<{ password_hash: string }>(
      'SELECT password_hash FROM users WHERE username = $1',
      [username],
    );
    return rows[0]!.password_hash;
  }

  async function renewed(username: string, before: string): Promise<string> {
    for (let now = before; ; now = await storedHash(username)) if (now !== before) return now;
  }

  test('is raised by a right login, and the password and the tokens stay as they are', async () => {
    const { username, token } = await givenTill(service, { password: RIGHT });
    const stored = await storeWithCost(username, 4);
    expect((await service.client.login(username, RIGHT)).status).toBe(200);
    expect(await renewed(username, stored)).toMatch(/^\$2b\$06\$/);
    expect((await service.client.login(username, RIGHT)).status).toBe(200);
    expect((await service.client.login(username, 'wrong')).status).toBe(401);
    expect((await service.client.get('/api/v1/restaurants', { token })).status).toBe(200);
  });

  test('is raised under fifty logins at once, none of which is refused', async () => {
    const username = await givenUser(service);
    const stored = await storeWithCost(username, 4);
    const logins = Array.from({ length: 50 }, () => service.client.login(username, RIGHT));
    expect(tally(await Promise.all(logins))).toEqual({ 200: 50 });
    expect(await renewed(username, stored)).toMatch(/^\$2b\$06\$/);
  });

  test.each([
    ['a wrong password', 4, 'wrong', 401],
    ['a hash of the same cost', 6, RIGHT, 200],
    ['a hash of a higher cost', 7, RIGHT, 200],
  ])('is left alone by %s', async (_row, cost, password, status) => {
    const username = await givenUser(service);
    const stored = await storeWithCost(username, cost);
    expect((await service.client.login(username, password)).status).toBe(status);
    await service.client.login(username, 'wrong'); // what the first one left to be hashed would be done before
    expect(await storedHash(username)).toBe(stored);
  });
});

describe('What logins leave behind', () => {
  beforeAll(() => service.database.query('TRUNCATE tokens, login_counters, known_addresses'));

  const count = async (table: string): Promise<number> =>
    (await service.database.query<{ count: number }>(`SELECT count(*)::int FROM ${table}`))[0]!
      .count;

  /** A hundred rows more than one statement deletes, of each kind; `age` puts them into the past. */
  async function givenRows(userId: number, age: string): Promise<void> {
    const rows = 'FROM generate_series(1, 1100) AS i';
    await service.database.query(
      `INSERT INTO tokens (jti, user_id, issued_at, expires_at)
       SELECT gen_random_uuid(), ${userId}, now(), now() - interval '${age}' ${rows}`,
    );
    await service.database.query(
      `INSERT INTO login_counters (key, failures, locked, ends_at)
       SELECT 'name:' || i, 1, false, now() - interval '${age}' ${rows}`,
    );
    await service.database.query(
      `INSERT INTO known_addresses (user_id, network, last_login_at)
       SELECT ${userId}, '10.0.' || i, now() - interval '31 days' - interval '${age}' ${rows}`,
    );
  }

  test('is deleted every ten minutes once it is expired, by however many instances, and nothing else', async () => {
    const username = await givenUser(service);
    await givenRows(1, '6 minutes');
    const [live, other] = [await service.client.token(username, RIGHT), await service.another()];
    await Promise.all([service, other].map(({ app }) => app.get(Housekeeping).run()));
    expect([await count('tokens'), await count('known_addresses')]).toEqual([1, 1]);
    expect(await count('login_counters')).toBeLessThanOrEqual(1);
    expect((await service.client.get('/api/v1/restaurants', { token: live })).status).toBe(200);
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
    await givenRows(1, '6 minutes');
    const database = service.app.get(Database);
    const run = database.run.bind(database);
    jest.spyOn(database, 'run').mockImplementation((statement, values) => {
      return statement.name === 'delete_old_tokens'
        ? Promise.reject(new Error('no'))
        : run(statement, values);
    });
    await service.app.get(Housekeeping).run();
    expect(await count('tokens')).toBe(1101);
    expect(await count('known_addresses')).toBe(1);
  });
});
