import { MigrationExecutor } from 'typeorm';
import { Database } from '../../src/database/database.js';
import type { Answer } from '../support/client.js';
import { expectError, expectErrorForm } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

describe('Health and the database', () => {
  const POOL = 10;

  let near: TestApp;
  let proxy: TcpProxy;
  let service: TestApp;
  let till: { username: string; password: string; token: string };
  beforeAll(async () => {
    near = await createTestApp();
    till = await givenTill(near);
    proxy = await TcpProxy.to(near.database.url);
    service = await near.another({
      DATABASE_URL: proxy.url,
      DATABASE_POOL_MAX: POOL,
      RESPONSE_TIMEOUT_MS: 5000,
    });
  });
  afterAll(async () => {
    await near.close();
    await proxy.close();
  });

  function becomes(status: number, { client } = near): Promise<Answer> {
    return eventually(async () => {
      const answer = await client.get('/health/ready');
      return answer.status === status && answer;
    }, `/health/ready to be ${status}`);
  }

  test.each(['live', 'ready'])('GET /health/%s, 200: open to all, and plain', async (probe) => {
    const answer = await near.client.get(`/health/${probe}`);
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
  });

  test('GET /health/ready asks the database twice a second at most, however many ask', async () => {
    const check = jest.spyOn(MigrationExecutor.prototype, 'getPendingMigrations');
    const begunAt = performance.now();
    await Promise.all(Array.from({ length: 50 }, () => near.client.get('/health/ready')));
    const seconds = (performance.now() - begunAt) / 1000;
    expect(check.mock.calls.length).toBeLessThanOrEqual(2 + 2 * seconds);
    check.mockRestore();
  });

  test('Unready where a migration of this release has not run; one of a later release does no harm', async () => {
    const { database } = near;
    await database.query(
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'OfALaterRelease')`,
    );
    await becomes(200);
    const [latest] = await database.query<{ name: string }>(
      `DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations WHERE name <> 'OfALaterRelease') RETURNING *`,
    );
    expectError(await becomes(503), 503, /lacks migrations/);
    await database.query(
      'INSERT INTO migrations SELECT * FROM json_populate_record(NULL::migrations, $1)',
      [latest],
    );
    await becomes(200);
  });

  /** Uploads, logins, and what goes by way of TypeORM, all at once; each with the time that it took. */
  async function askEverything(): Promise<{ answer: Answer; ms: number }[]> {
    const asks = Array.from({ length: 12 }, (_, hour) => [
      () => service.client.upload(till.token, [record({ hour })]),
      () => service.client.login(till.username, till.password),
      () => service.client.get('/api/v1/restaurants', { token: till.token }),
    ]);
    return Promise.all(
      asks.flat().map(async (ask) => {
        const { result: answer, ms } = await timed(ask);
        return { answer, ms };
      }),
    );
  }

  /** The first statements of a connection may exceed their limits on a slow machine. */
  async function fillThePool(): Promise<void> {
    await eventually(
      async () => (await askEverything()).every(({ answer }) => answer.status === 200),
      'every request to be served',
    );
  }

  async function expectRecovery(): Promise<void> {
    const { ms } = await timed(async () => {
      await eventually(
        async () => (await service.client.upload(till.token, [record()])).status === 200,
        'an upload',
      );
      await eventually(
        async () => (await service.client.login(till.username, till.password)).status === 200,
        'a login',
      );
    });
    expect(ms).toBeLessThan(stretched(5000));
    await fillThePool();
    await eventually(
      () => proxy.connections <= POOL,
      'connections that were given up to be closed',
    );
  }

  test.each([
    ['is stopped: 500', 'refuse', /^(200|500)$/],
    ['is frozen, or its packets are dropped: 503', 'hold', /^(200|500|503)$/],
  ] as const)(
    'While PostgreSQL %s within five seconds to each, unready, and all is well within five of its return',
    async (_how, mode, statuses) => {
      await fillThePool();
      const busy = askEverything(); // the fault meets some of them half-way
      proxy[mode]();
      const unready = becomes(503, service);
      const rounds = [busy];
      for (const ms of [1500, 3000])
        rounds.push(new Promise((done) => setTimeout(done, ms)).then(askEverything));
      const [halfway, ...later] = await Promise.all(rounds);
      for (const { answer, ms } of [...halfway!, ...later.flat()]) {
        expect(String(answer.status)).toMatch(statuses);
        if (answer.status !== 200) expectErrorForm(answer);
        expect(ms).toBeLessThan(stretched(5000));
      }
      for (const { answer } of later.flat())
        expect(answer.status).toBe(mode === 'hold' ? 503 : 500);
      expectError(await unready, 503, /not ready: the database does not answer/);
      const before = proxy.connections;
      const { result: probes, ms } = await timed(() =>
        Promise.all(Array.from({ length: 50 }, () => service.client.get('/health/ready'))),
      );
      expect(new Set(probes.map(({ status }) => status))).toEqual(new Set([503]));
      expect(ms).toBeLessThan(stretched(5000));
      expect(proxy.connections - before).toBeLessThan(POOL);
      expect((await service.client.get('/health/live')).status).toBe(200);
      expect((await service.client.upload(undefined, [record()])).status).toBe(401); // needs no database
      proxy.forward();
      await expectRecovery();
      await becomes(200, service);
    },
  );

  test('Connections that died without a word are all dropped once one was found out', async () => {
    await fillThePool();
    expect(proxy.connections).toBeGreaterThan(4);
    proxy.forget();
    expectError(await service.client.upload(till.token, [record()]), 503);
    await expectRecovery();
  });

  test('What waits in vain for a connection gets 503, and when to send it again', async () => {
    const { app, client } = await near.another({ DATABASE_POOL_MAX: 2, RESPONSE_TIMEOUT_MS: 5000 });
    const sleep = { name: 'test_sleep', text: 'SELECT pg_sleep(2.4)' };
    const database = app.get(Database);
    const sleeping = Promise.all([database.run(sleep, []), database.run(sleep, [])]);
    const answers = await Promise.all([
      client.upload(till.token, [record()]),
      client.login(till.username, till.password),
    ]);
    for (const answer of answers) {
      expectError(answer, 503, /overloaded/);
      expect(answer.headers.get('Retry-After')).toMatch(/^[1-5]$/);
    }
    await sleeping;
  });
});
