import { setTimeout } from 'node:timers/promises';
import type { HttpServer } from '@nestjs/common';
import { Database } from '../../src/database/database.js';
import type { JsonExpressAdapter } from '../../src/http/server/json-express.adapter.js';
import { PasswordHasher } from '../../src/users/password-hasher.js';
import type { Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { from, givenUser, RIGHT } from '../support/logins.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

describe('A login that has to wait', () => {
  let service: TestApp;
  beforeAll(
    async () => (service = await createTestApp({ HASH_THREADS: 1, HASH_QUEUE_MAX: 2, RESPONSE_TIMEOUT_MS: 5000 })),
  );
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  function expectTooMany(answer: Answer): void {
    expectError(answer, 503, /too many logins/);
    expect(answer.headers.get('X-Error-Code')).toBe('too_many_logins');
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  }

  const rowsOf = (username: string): Promise<{ under_way: number }[]> =>
    service.database.query(
      `SELECT under_way FROM login_failures WHERE subject = 'user:' || (SELECT id FROM users WHERE username = $1)`,
      [username],
    );

  test('503 within 5 s and after few statements where no slot comes free', async () => {
    const username = await givenUser(service);
    await service.database.query(
      `INSERT INTO login_failures (subject, network, under_way, under_way_until, expires_at)
       SELECT 'user:' || id, '127.0.0.1', 5, now() + interval '1 hour', now() + interval '1 hour'
       FROM users WHERE username = $1`,
      [username],
    );
    const statements = jest.spyOn(service.app.get(Database), 'run');
    const { result: answer, ms } = await timed(() => service.client.login(username, RIGHT));
    expectTooMany(answer);
    expect(ms).toBeLessThan(stretched(5000));
    expect(statements.mock.calls.length).toBeLessThan(20);
  });

  test('503 within 5 s where the comparison takes too long, and its slot is free again', async () => {
    const username = await givenUser(service);
    jest.spyOn(service.app.get(PasswordHasher, { strict: false }), 'matches').mockReturnValue(new Promise(() => {}));
    const { result: answer, ms } = await timed(() => service.client.login(username, RIGHT));
    expectTooMany(answer);
    expect(ms).toBeLessThan(stretched(5000));
    expect(await rowsOf(username)).toEqual([{ under_way: 0 }]);
  });

  test('503 at once, and no row, where the queue of the hashing threads is full', async () => {
    const username = await givenUser(service);
    const hasher = service.app.get(PasswordHasher, { strict: false });
    const cheap = { account: undefined, workCost: 8 };
    let isBusy = true;
    const busy = [1, 2, 3].map(async () => {
      while (isBusy) await hasher.matches('x', cheap, false); // the next at once: one is under way and two wait, at any moment
    });
    await setTimeout(0);
    const { result: answer, ms } = await timed(() => service.client.login(username, RIGHT));
    expectTooMany(answer);
    expect(ms).toBeLessThan(stretched(1000));
    expect(await rowsOf(username)).toEqual([]);
    isBusy = false;
    await Promise.all(busy);
  });
});

test('Logins from addresses without a login take no more than 80 % of the slots of public routes', async () => {
  const service = await createTestApp({
    ...{ TRUST_PROXY: 'loopback', HASH_THREADS: 1, BCRYPT_COST: 10 },
    MAX_PUBLIC_IN_FLIGHT: 10,
  });
  const username = await givenUser(service);
  expect((await service.client.login(username, RIGHT, from('203.0.113.7'))).status).toBe(200);
  const { publicSlots } = service.app.getHttpAdapter() as HttpServer as JsonExpressAdapter;
  let isOver = false;
  const flood = Array.from({ length: 40 }, async (_, index) => {
    while (!isOver) await service.client.login(`guess ${index}`, 'wrong', from(`198.51.100.${index}`));
  });
  await eventually(() => publicSlots.count >= 8, 'the slots to be taken');
  const logins = [];
  for (let count = 0; count < 5; count++) logins.push(await service.client.login(username, RIGHT, from('203.0.113.7')));
  isOver = true;
  await Promise.all(flood);
  await service.close();
  expect(logins.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});
