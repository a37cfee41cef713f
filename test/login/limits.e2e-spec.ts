import { setTimeout } from 'node:timers/promises';
import { LoginFailuresService } from '../../src/auth/login/login-failures.service.js';
import { FixedWindowStorage } from '../../src/auth/login/login-throttler.guard.js';
import { PasswordsService } from '../../src/users/passwords.service.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenUser } from '../support/given.js';
import { expectLocked, failTimes, from, RIGHT, tally } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const UNTIL_LOCKED = [401, 401, 401, 401, 401, 429];

let service: TestApp;
let other: TestApp;
beforeAll(async () => {
  service = await createTestApp({ TRUST_PROXY: 'loopback' });
  other = await service.another();
});
afterAll(() => service.close());

/** Each test has a user and addresses of its own. */
let addresses = 0;
const newAddress = (): string => `198.18.${++addresses >> 8}.${addresses & 255}`;
let user: string;
let home: string;
beforeEach(async () => {
  user = await givenUser(service);
  home = newAddress();
});

/** A right login; what failed before is known to every instance. */
const login = (username = user, address = home, { client } = other) =>
  client.login(username, RIGHT, from(address));
const statusOf = async (...args: Parameters<typeof login>) => (await login(...args)).status;
const fail = (times: number, username = user, address = home, { client } = service) =>
  failTimes(times, client, username, address);

async function admin(args: string[]): Promise<string> {
  const ran = await new CommandLine(service.app).run(args, `${RIGHT}\n`);
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  return ran.stdout;
}

describe('Failed logins of a username from an address', () => {
  /** Moves all that was counted into the past. */
  const letPass = (seconds: number) =>
    service.database.query(
      'UPDATE login_counters SET ends_at = ends_at - make_interval(secs => $1)',
      [seconds],
    );

  test('are 429 after five, for a right password too, on every instance and after a restart, with the seconds to wait', async () => {
    expect(await fail(3)).toEqual([401, 401, 401]);
    expect(await fail(2, user, home, other)).toEqual([401, 401]);
    for (const instance of [service, other, await service.another()])
      expectLocked(await login(user, home, instance), 900);
  });

  test('lock a username that nobody has in the same way', async () => {
    const name = 'nobody\0 at all';
    expect(await fail(6, name)).toEqual(UNTIL_LOCKED);
    expectLocked(await login(name), 900);
    expect(await fail(1, name.slice(1))).toEqual([401]);
  });

  test('are forgotten after a success', async () => {
    await fail(4);
    expect(await statusOf()).toBe(200);
    expect(await fail(6)).toEqual(UNTIL_LOCKED);
  });

  test('do not include requests with a fault in their fields', async () => {
    for (let time = 0; time < 6; time++)
      expect((await service.client.login(user, '', from(home))).status).toBe(400);
    expect(await statusOf()).toBe(200);
  });

  test('are neither counted nor cleared by the right password of a disabled account', async () => {
    await fail(4);
    await admin(['user', 'disable', user]);
    for (let time = 0; time < 6; time++) expect(await statusOf()).toBe(403);
    expect(await fail(2)).toEqual([401, 429]);
  });

  test('lock no longer if they go on, and the lock ends by itself', async () => {
    await fail(6); // the sixth begins the lock
    await letPass(600);
    expect(await fail(6)).toEqual([429, 429, 429, 429, 429, 429]);
    expectLocked(await login(), 300);
    await letPass(300);
    expect(await fail(1)).toEqual([401]);
    expect(await statusOf()).toBe(200);
  });

  test('are counted in a window that begins with the first', async () => {
    await fail(4);
    await letPass(901); // another window begins
    expect(await fail(6)).toEqual(UNTIL_LOCKED);
  });

  test('are forgotten by `user unlock` at once, on every instance', async () => {
    const elsewhere = newAddress();
    await fail(5);
    await fail(5, user, elsewhere);
    expect(await admin(['user', 'unlock', user])).toBe(`user "${user}" unlocked\n`);
    expect(await statusOf()).toBe(200);
    expect(await statusOf(user, elsewhere, service)).toBe(200);
  });

  test.each([
    ['another address is another pair', '198.51.100.7', '198.51.100.8', 200],
    ['addresses of one IPv6 /64 are one', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', 429],
    ['IPv6 networks are apart', '2001:db8:1:2::1', '2001:db8:1:3::1', 200],
    ['an IPv4 address in IPv6 clothes is the same', '203.0.113.7', '::ffff:203.0.113.7', 429],
    ['what is no address is one', 'invented', 'otherwise', 429],
  ])('%s; another user is not concerned', async (_row, address, another, status) => {
    await fail(5, user, address);
    expect(await statusOf(user, another)).toBe(status);
    expect(await statusOf(await givenUser(service), address)).toBe(200);
  });

  test('an address that no trusted proxy told is not believed', async () => {
    const plain = await service.another({ TRUST_PROXY: '' });
    for (let time = 0; time < 5; time++) await fail(1, user, newAddress(), plain);
    expectLocked(await login(user, home, plain), 900);
  });
});

describe('Failed logins of a username from all addresses', () => {
  let wide: TestApp;
  beforeAll(async () => {
    wide = await service.another({ LOGIN_USERNAME_MAX_FAILURES: 6, LOGIN_LOCK_SECONDS: 60 });
  });

  const failElsewhere = async (username = user): Promise<void> => {
    for (let time = 0; time < 6; time++) await fail(1, username, newAddress(), wide);
  };

  test('are 429 at an unknown address, on every instance, and not where the user logged in before', async () => {
    await login();
    await failElsewhere();
    expectLocked(await login(user, newAddress()), 60);
    expect(await statusOf()).toBe(200);
    expect(await fail(6, user, home, wide)).toEqual(UNTIL_LOCKED);
  });

  test('an address is known for 30 days from the last login there', async () => {
    const letPass = (hours: number) =>
      service.database.query(
        'UPDATE known_addresses SET last_login_at = last_login_at - make_interval(hours => $1)',
        [hours],
      );
    await login();
    await failElsewhere();
    for (let time = 0; time < 2; time++) {
      await letPass(30 * 24 - 1);
      expect(await statusOf()).toBe(200);
    }
    await letPass(30 * 24);
    expectLocked(await login(), 60);
  });

  test.each([
    ['token revoke', [['token', 'revoke']]],
    ['user set-password', [['user', 'set-password', '--password-stdin']]],
    ['user disable', [['user', 'disable'], ['user', 'enable']]], // prettier-ignore
  ])('%s forgets the addresses of the user, and of no other', async (_row, commands) => {
    const another = await givenUser(service);
    await login();
    await login(another);
    for (const [topic, command, ...options] of commands)
      await admin([topic!, command!, user, ...options]);
    await failElsewhere();
    await failElsewhere(another);
    expectLocked(await login(), 60);
    expect(await statusOf(another)).toBe(200);
  });
});

describe('Failed logins from an address under all usernames', () => {
  let wide: TestApp;
  beforeAll(async () => {
    wide = await service.another({ LOGIN_ADDRESS_MAX_FAILURES: 6, LOGIN_LOCK_SECONDS: 60 });
  });

  const failAs = async (names: string): Promise<void> => {
    for (let time = 0; time < 6; time++)
      expect(await fail(1, `${names} ${time}`, home, wide)).toEqual([401]);
  };

  test('are 429 there for everybody who is not known there, on every instance, and for nobody elsewhere', async () => {
    await failAs('guess');
    expectLocked(await login(), 60);
    expectLocked(await login('nobody'), 60);
    expect(await statusOf(user, newAddress())).toBe(200);
  });

  test('lock out nobody who logged in there before, until that user fails five times, so that no guest of the network locks its tills out', async () => {
    await login();
    await failAs('guess of a guest');
    expectLocked(await login(await givenUser(service)), 60);
    for (const instance of [service, other, wide])
      expect(await statusOf(user, home, instance)).toBe(200);
    expect(await fail(6, user, home, wide)).toEqual(UNTIL_LOCKED);
    expectLocked(await login(), 60);
  });

  test('user unlock opens the address for all, where the user is known there', async () => {
    const stranger = await givenUser(service);
    await login();
    await failAs('other guess');
    await admin(['user', 'unlock', stranger]);
    expectLocked(await login(stranger), 60);
    await admin(['user', 'unlock', user]);
    expect(await statusOf(stranger)).toBe(200);
  });
});

describe('Logins at the same moment', () => {
  let comparisons: jest.SpyInstance;
  beforeEach(() => (comparisons = jest.spyOn(PasswordsService.prototype, 'matches')));
  afterEach(() => jest.restoreAllMocks());

  /** Fifty logins at once, from one address. */
  const fifty = (
    password: (index: number) => string,
    { username = user, instances = [service, other] } = {},
  ): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        instances[index % instances.length]!.client.login(username, password(index), from(home)),
      ),
    );

  test('all succeed if fifty are right on two instances, each with a token of its own', async () => {
    const answers = await fifty(() => RIGHT);
    expect(tally(answers)).toEqual({ 200: 50 });
    expect(new Set(answers.map(({ body }) => body.access_token as string)).size).toBe(50);
  });

  test.each(['a user', 'a username that nobody has'])(
    'of %s are compared up to the limit if fifty are wrong on two instances, and the others are 429',
    async (whose) => {
      const username = whose === 'a user' ? user : whose;
      const answers = await fifty((index) => `wrong ${index}`, { username });
      expect(tally(answers)).toEqual({ 401: 5, 429: 45 });
      expect(comparisons).toHaveBeenCalledTimes(5);
    },
  );

  test.each([
    ['right', RIGHT, { 200: 50 }, 5],
    ['wrong', 'wrong', { 401: 50 }, 4],
  ])(
    'count as one attempt if fifty have the same %s password',
    async (_row, password, statuses, left) => {
      const attempts = jest.spyOn(LoginFailuresService.prototype, 'findAttempt');
      comparisons.mockImplementationOnce(async () => {
        while (attempts.mock.calls.length < 50) await setTimeout(5);
        await Promise.all(attempts.mock.results.map(({ value }) => value as Promise<unknown>));
        return password === RIGHT;
      });
      expect(tally(await fifty(() => password, { instances: [service] }))).toEqual(statuses);
      expect(comparisons).toHaveBeenCalledTimes(1);
      expect(await fail(left + 1)).toEqual([...Array.from({ length: left }, () => 401), 429]);
    },
  );

  test('do not count if they were turned away before the password was compared', async () => {
    for (let time = 0; time < 7; time++) {
      comparisons.mockRejectedValueOnce(new Error('no thread'));
      expect(await statusOf()).toBe(500);
    }
    expect(await statusOf()).toBe(200);
  });
});

describe('Logins of an address on one instance', () => {
  test('are 429 beyond LOGIN_REQUESTS_PER_MINUTE, right ones included, and not at another address or instance', async () => {
    const throttled = await service.another({ LOGIN_REQUESTS_PER_MINUTE: 3 });
    for (let time = 0; time < 3; time++) {
      const { status, headers } = await login(user, '2001:db8:7::1', throttled);
      expect([status, [...headers.keys()].filter((name) => name.startsWith('x-rate'))]).toEqual([
        200,
        [],
      ]);
    }
    const answer = await login(user, '2001:db8:7::2', throttled);
    expectError(answer, 429, /^{"error":"too many logins from this address: please try again in/);
    expect(answer.headers.get('X-Error-Code')).toBe('too_many_requests');
    const wait = Number(answer.headers.get('Retry-After'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(await statusOf(user, '2001:db8:7:1::1', throttled)).toBe(200);
    expect(await statusOf(user, '2001:db8:7::2')).toBe(200);
  });

  test('are counted anew after a minute, and after 10,000 addresses', async () => {
    const now = jest.spyOn(performance, 'now');
    const storage = new FixedWindowStorage();
    const isBlocked = async (ms: number, address = 'a') => {
      now.mockReturnValue(ms);
      return (await storage.increment(address, 60_000, 1)).isBlocked;
    };
    expect([await isBlocked(1), await isBlocked(2), await isBlocked(60_000)]).toEqual([false, true, true]); // prettier-ignore
    expect([await isBlocked(60_001), await isBlocked(60_002)]).toEqual([false, true]);
    for (let address = 0; address < 9_999; address++) await isBlocked(60_003, String(address));
    expect(await isBlocked(60_004)).toBe(false);
    now.mockRestore();
  });
});

test('A flood of logins of invented names from ten addresses after a restart keeps out neither a till that logged in before nor a user at a new address', async () => {
  const visitor = await givenUser(service);
  await login();
  const restarted = await service.another({
    HASH_THREADS: 1,
    HASH_QUEUE_MAX: 4,
    BCRYPT_COST: 7,
    LOGIN_ADDRESS_MAX_FAILURES: 1_000_000,
  });
  const answers: Answer[] = [];
  let isOver = false;
  const flood = Array.from({ length: 10 }, async (_, index) => {
    const sender = from(`198.51.100.${index}`);
    for (let guess = 0; !isOver; guess++)
      answers.push(await restarted.client.login(`${guess} of ${index}`, 'wrong', sender));
  });
  const isTurnedAway = ({ status }: Answer): boolean => status === 503;
  while (!answers.some(isTurnedAway)) await restarted.client.get('/health/live');
  const statuses: number[] = [];
  while (statuses.length < 3) statuses.push(await statusOf(user, home, restarted));
  while (statuses.length < 6) statuses.push(await statusOf(visitor, newAddress(), restarted));
  isOver = true;
  await Promise.all(flood);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
  const { headers } = answers.find(isTurnedAway)!;
  expect(headers.get('X-Error-Code')).toBe('too_many_logins');
  expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
});
