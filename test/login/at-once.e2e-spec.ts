import { setTimeout } from 'node:timers/promises';
import { LoginFailuresService } from '../../src/auth/login/login-failures.service.js';
import { PasswordsService } from '../../src/users/passwords.service.js';
import type { Answer } from '../support/client.js';
import { failTimes, from, givenUser, RIGHT, tally } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const HOME = '192.0.2.1';

let service: TestApp;
let other: TestApp;
beforeAll(async () => {
  service = await createTestApp({ TRUST_PROXY: 'loopback', LOGIN_USERNAME_MAX_FAILURES: 8 });
  other = await service.another();
});
afterAll(() => service.close());

describe('Logins at the same moment', () => {
  let comparisons: jest.SpyInstance;
  let user: string;
  beforeEach(async () => {
    user = await givenUser(service);
    comparisons = jest.spyOn(PasswordsService.prototype, 'matches');
  });
  afterEach(() => jest.restoreAllMocks());

  const login = (password: string) => service.client.login(user, password, from(HOME));

  /** Fifty logins of a user at once, from one address. */
  function fifty(
    password: (index: number) => string,
    { username = user, instances = [service, other] } = {},
  ): Promise<Answer[]> {
    return Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        instances[index % instances.length]!.client.login(username, password(index), from(HOME)),
      ),
    );
  }

  test('fifty right ones on two instances: fifty times 200, each with a token of its own', async () => {
    const answers = await fifty(() => RIGHT);
    expect(tally(answers)).toEqual({ 200: 50 });
    expect(new Set(answers.map(({ body }) => body.access_token as string)).size).toBe(50);
  });

  test.each(['a user', 'a username that nobody has'])(
    'fifty wrong ones of %s on two instances: as many comparisons as the limit says, the others 429',
    async (whose) => {
      const username = whose === 'a user' ? user : 'nobody';
      const answers = await fifty((index) => `wrong ${index}`, { username });
      expect(tally(answers)).toEqual({ 401: 5, 429: 45 });
      expect(comparisons).toHaveBeenCalledTimes(5);
    },
  );

  test('fifty times the same wrong one on two instances: no more comparisons either', async () => {
    const { 401: compared = 0, 429: locked = 0 } = tally(await fifty(() => 'wrong'));
    expect(compared + locked).toBe(50);
    expect(comparisons.mock.calls.length).toBeLessThanOrEqual(5);
  });

  test.each([
    ['right', RIGHT, { 200: 50 }, 5],
    ['wrong', 'wrong', { 401: 50 }, 4],
  ])('fifty with the same %s password are one attempt', async (_row, password, statuses, left) => {
    const attempts = jest.spyOn(LoginFailuresService.prototype, 'findAttempt');
    comparisons.mockImplementationOnce(async () => {
      while (attempts.mock.calls.length < 50) await setTimeout(5);
      await Promise.all(attempts.mock.results.map(({ value }) => value as Promise<unknown>));
      return password === RIGHT;
    });
    expect(tally(await fifty(() => password, { instances: [service] }))).toEqual(statuses);
    expect(comparisons).toHaveBeenCalledTimes(1);
    const more = await failTimes(left + 1, service.client, user, HOME);
    expect(more).toEqual([...Array.from({ length: left }, () => 401), 429]);
  });

  test('one that was turned away uncompared does not count', async () => {
    for (let time = 0; time < 7; time++) {
      comparisons.mockRejectedValueOnce(new Error('no thread'));
      expect((await login(RIGHT)).status).toBe(500);
    }
    expect((await login(RIGHT)).status).toBe(200);
  });
});

test('A flood of logins from ten addresses after a restart keeps no till out that logged in before', async () => {
  const user = await givenUser(service);
  const loginAtHome = ({ client } = service) => client.login(user, RIGHT, from('203.0.113.7'));
  expect((await loginAtHome()).status).toBe(200);
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
  const logins: Answer[] = [];
  while (logins.length < 3) logins.push(await loginAtHome(restarted));
  isOver = true;
  await Promise.all(flood);
  expect(tally(logins)).toEqual({ 200: 3 });
  const { headers } = answers.find(isTurnedAway)!;
  expect(headers.get('X-Error-Code')).toBe('too_many_logins');
  expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
});
