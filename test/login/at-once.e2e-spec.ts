import { setTimeout } from 'node:timers/promises';
import { LoginFailuresService } from '../../src/auth/login/login-failures.service.js';
import { PasswordsService } from '../../src/users/passwords.service.js';
import type { Answer } from '../support/client.js';
import { failTimes, from, givenUser, RIGHT, tally } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('Logins at the same moment', () => {
  const HOME = '192.0.2.1';

  let service: TestApp;
  let other: TestApp;
  let comparisons: jest.SpyInstance;

  beforeAll(async () => {
    service = await createTestApp({ TRUST_PROXY: 'loopback', LOGIN_USERNAME_MAX_FAILURES: 8 });
    other = await service.another();
    comparisons = jest.spyOn(PasswordsService.prototype, 'matches');
  });
  beforeEach(() => comparisons.mockClear());
  afterAll(async () => {
    comparisons.mockRestore();
    await service.close();
  });

  /** Fifty logins of a user at once, from one address. */
  function fifty(
    username: string,
    password: (index: number) => string,
    instances = [service, other],
  ): Promise<Answer[]> {
    return Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        instances[index % instances.length]!.client.login(username, password(index), from(HOME)),
      ),
    );
  }

  describe('Fifty logins of one user at once, on two instances', () => {
    test('right ones: fifty times 200, each with a token of its own', async () => {
      const answers = await fifty(await givenUser(service), () => RIGHT);
      expect(tally(answers)).toEqual({ 200: 50 });
      expect(new Set(answers.map(({ body }) => body.access_token as string)).size).toBe(50);
    });

    test('wrong ones: as many comparisons as the limit says, the others 429', async () => {
      const answers = await fifty(await givenUser(service), (index) => `wrong ${index}`);
      expect(tally(answers)).toEqual({ 401: 5, 429: 45 });
      expect(comparisons).toHaveBeenCalledTimes(5);
    });

    test('the same wrong one: no more comparisons either', async () => {
      const answers = await fifty(await givenUser(service), () => 'wrong');
      const { 401: compared = 0, 429: locked = 0 } = tally(answers);
      expect(compared + locked).toBe(50);
      expect(comparisons.mock.calls.length).toBeLessThanOrEqual(5);
    });

    test('wrong ones for a username that nobody has: the same', async () => {
      const answers = await fifty('nobody', (index) => `wrong ${index}`);
      expect(tally(answers)).toEqual({ 401: 5, 429: 45 });
      expect(comparisons).toHaveBeenCalledTimes(5);
    });
  });

  test.each([
    ['right', RIGHT, { 200: 50 }, 5],
    ['wrong', 'wrong', { 401: 50 }, 4],
  ])(
    'Fifty logins with the same %s password at the same moment are one attempt',
    async (_row, password, statuses, left) => {
      const username = await givenUser(service);
      const attempts = jest.spyOn(LoginFailuresService.prototype, 'findAttempt');
      comparisons.mockImplementationOnce(async () => {
        while (attempts.mock.calls.length < 50) await setTimeout(5);
        await Promise.all(attempts.mock.results.map(({ value }) => value as Promise<unknown>));
        return password === RIGHT;
      });
      const answers = await fifty(username, () => password, [service]);
      attempts.mockRestore();
      expect(tally(answers)).toEqual(statuses);
      expect(comparisons).toHaveBeenCalledTimes(1);
      const more = await failTimes(left + 1, service.client, username, HOME);
      expect(more).toEqual([...Array.from({ length: left }, () => 401), 429]);
    },
  );

  test('An attempt that was turned away uncompared does not count', async () => {
    const username = await givenUser(service);
    for (let time = 0; time < 7; time++) {
      comparisons.mockRejectedValueOnce(new Error('no thread'));
      expect((await service.client.login(username, RIGHT, from(HOME))).status).toBe(500);
    }
    expect((await service.client.login(username, RIGHT, from(HOME))).status).toBe(200);
  });
});

describe('A flood of logins', () => {
  const TILL = '203.0.113.7';
  const ADDRESSES = 10;

  /** Sends wrong passwords from ten addresses, without a pause, until `work` is done. */
  async function duringFlood(
    { client }: TestApp,
    work: () => Promise<void>,
  ): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    let isOver = false;
    const flood = Array.from({ length: ADDRESSES }, async (_, index) => {
      const sender = from(`198.51.100.${index}`);
      while (!isOver)
        answers.push(await client.login(`guess ${answers.length} of ${index}`, 'wrong', sender));
    });
    while (!answers.some(({ status }) => status === 503)) await client.get('/health/live');
    await work();
    isOver = true;
    await Promise.all(flood);
    return answers;
  }

  test('a flood of logins from ten addresses after a restart keeps no till out that logged in before', async () => {
    const before = await createTestApp({ TRUST_PROXY: 'loopback' });
    const username = await givenUser(before);
    expect((await before.client.login(username, RIGHT, from(TILL))).status).toBe(200);
    const service = await before.another({
      HASH_THREADS: 1,
      HASH_QUEUE_MAX: 4,
      BCRYPT_COST: 7,
      LOGIN_ADDRESS_MAX_FAILURES: 1_000_000,
    });
    const logins: Answer[] = [];
    const flood = await duringFlood(service, async () => {
      for (let count = 0; count < 3; count++)
        logins.push(await service.client.login(username, RIGHT, from(TILL)));
    });
    await before.close();
    expect(tally(logins)).toEqual({ 200: 3 });
    const rejected = flood.find(({ status }) => status === 503)!;
    expect(rejected.headers.get('X-Error-Code')).toBe('too_many_logins');
    expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  });
});
