import { setTimeout } from 'node:timers/promises';
import { LoginAttemptsService } from '../../src/auth/throttling/login-attempts.service.js';
import { PasswordHasher } from '../../src/users/password-hasher.js';
import type { Answer } from '../support/client.js';
import { expectLocked, failTimes, from, givenUser, RIGHT, tally } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const HOME = '192.0.2.1';

let service: TestApp;
let other: TestApp;
let comparisons: jest.SpyInstance;

beforeAll(async () => {
  service = await createTestApp({ TRUST_PROXY: 'loopback', LOGIN_USERNAME_MAX_FAILURES: 8 });
  other = await service.another();
  comparisons = jest.spyOn(PasswordHasher.prototype, 'matches');
});
beforeEach(() => comparisons.mockClear());
afterAll(async () => {
  comparisons.mockRestore();
  await service.close();
});

/** Fifty logins of a user at once, from one address. */
function fifty(username: string, password: (index: number) => string, instances: TestApp[]): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      instances[index % instances.length]!.client.login(username, password(index), from(HOME)),
    ),
  );
}

describe.each([
  ['one instance', () => [service]],
  ['two instances', () => [service, other]],
])('Fifty logins of one user at once, on %s', (_row, instances) => {
  test('right ones: fifty times 200', async () => {
    const answers = await fifty(await givenUser(service), () => RIGHT, instances());
    expect(tally(answers)).toEqual({ 200: 50 });
    expect(new Set(answers.map(({ body }) => body.access_token as string)).size).toBe(50);
  });

  test('the same wrong password: counted one by one', async () => {
    const answers = await fifty(await givenUser(service), () => 'wrong', instances());
    expect(tally(answers)).toEqual({ 401: 5, 429: 45 });
    expect(comparisons.mock.calls.length).toBeLessThanOrEqual(5);
  });

  test('wrong ones: as many comparisons as the limit says, the others 429', async () => {
    const answers = await fifty(await givenUser(service), (index) => `wrong ${index}`, instances());
    expect(tally(answers)).toEqual({ 401: 5, 429: 45 });
    expect(comparisons).toHaveBeenCalledTimes(5);
  });

  test('wrong ones for a username that nobody has: the same', async () => {
    const answers = await fifty(`nobody on ${_row}`, (index) => `wrong ${index}`, instances());
    expect(tally(answers)).toEqual({ 401: 5, 429: 45 });
    expect(comparisons).toHaveBeenCalledTimes(5);
  });
});

test.each([
  ['right', RIGHT, { 200: 50 }],
  ['wrong', 'wrong', { 401: 5, 429: 45 }],
])('Fifty logins with the same %s password share a comparison', async (_row, password, statuses) => {
  const attempts = jest.spyOn(LoginAttemptsService.prototype, 'compare');
  comparisons.mockImplementationOnce(async () => {
    while (attempts.mock.calls.length < 50) await setTimeout(5);
    return password === RIGHT;
  });
  const answers = await fifty(await givenUser(service), () => password, [service]);
  attempts.mockRestore();
  expect(tally(answers)).toEqual(statuses);
  expect(comparisons).toHaveBeenCalledTimes(1);
});

describe('A slot among the attempts of a username from an address', () => {
  const occupy = (username: string, until: string): Promise<unknown> =>
    service.database.query(
      `INSERT INTO login_failures (subject, network, under_way, under_way_until, expires_at)
       SELECT 'user:' || id, $2, 5, now() + $3::interval, now() + interval '1 hour' FROM users WHERE username = $1`,
      [username, HOME, until],
    );

  test('is waited for where none is free', async () => {
    const username = await givenUser(service);
    await occupy(username, '1 hour');
    const waiting = service.client.login(username, RIGHT, from(HOME));
    expect(await Promise.race([waiting, other.client.get('/health/live').then(() => 'nothing yet')])).toBe(
      'nothing yet',
    );
    expect(comparisons).not.toHaveBeenCalled();
    await service.database.query('UPDATE login_failures SET under_way = 4');
    expect((await waiting).status).toBe(200);
  });

  test('is not lost with an instance that died', async () => {
    const username = await givenUser(service);
    await occupy(username, '-1 second');
    expect((await service.client.login(username, RIGHT, from(HOME))).status).toBe(200);
  });
});

describe('A lock that falls while a password is compared', () => {
  /** The next comparison on the first instance ends after the user was locked, on the second. */
  function lockMeanwhile(username: string): void {
    comparisons.mockImplementationOnce(async (password) => {
      for (let time = 0; time < 8; time++) await failTimes(1, other.client, username, `198.51.100.${time}`);
      return password === RIGHT;
    });
  }

  test.each([
    ['a right password does not get in', RIGHT],
    ['a wrong one is not called wrong', 'wrong'],
  ])('429: %s', async (_row, password) => {
    const username = await givenUser(service);
    lockMeanwhile(username);
    expectLocked(await service.client.login(username, password, from(HOME)), 900);
  });

  test('200 at an address at which the user is known', async () => {
    const username = await givenUser(service);
    await service.client.login(username, RIGHT, from(HOME));
    lockMeanwhile(username);
    expect((await service.client.login(username, RIGHT, from(HOME))).status).toBe(200);
  });
});
