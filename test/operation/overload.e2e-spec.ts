import { EventEmitter, once } from 'node:events';
import type { HttpServer } from '@nestjs/common';
import { MigrationExecutor } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { configWith } from '../../src/config/config.js';
import { ReadQueue } from '../../src/database/queued-read.decorator.js';
import type { JsonExpressAdapter } from '../../src/http/adapter/json-express.adapter.js';
import { ReportsService } from '../../src/sales/reports/reports.service.js';
import { drain } from '../../src/server/serve.js';
import { readMetric } from './read-metric.js';
import type { Answer } from '../support/client.js';
import { expectError, expectErrorForm } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { documentOf, operationsOf } from '../support/openapi.js';
import { RawConnection, rawUpload } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { untilBlocked, whileDaysAreLocked } from '../support/test-database.js';
import { stretched, timed } from '../support/time-limits.js';

let near: TestApp;
let till: { username: string; password: string; token: string };
let proxy: TcpProxy;
beforeAll(async () => {
  near = await createTestApp();
  till = await givenTill(near);
  proxy = await TcpProxy.to(near.database.url);
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

describe('Health and the database', () => {
  const POOL = 10;

  let service: TestApp;
  beforeAll(async () => {
    service = await near.another({
      DATABASE_URL: proxy.url,
      DATABASE_POOL_MAX: POOL,
      RESPONSE_TIMEOUT_MS: 5000,
      METRICS_MISSING_UPLOADS: true,
    });
  });

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
    const upload = () => service.client.upload(till.token, [record()]);
    const login = () => service.client.login(till.username, till.password);
    const { ms } = await timed(async () => {
      await eventually(async () => (await upload()).status === 200, 'an upload');
      await eventually(async () => (await login()).status === 200, 'a login');
    });
    expect(ms).toBeLessThan(stretched(5000));
    await fillThePool();
    await eventually(() => proxy.connections <= POOL, 'those given up to be closed');
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
      const missing = readMetric('sales_missing_restaurants');
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
      expect(await missing).toBeNaN(); // a gauge that fails spoils no other
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

describe('Work in flight', () => {
  test('503 at once for what comes on top, on a connection that can be used again; 200 for what was taken on and for probes', async () => {
    const { app, client, url } = await near.another({ MAX_IN_FLIGHT: 3 });
    const { slots } = app.getHttpAdapter() as HttpServer as JsonExpressAdapter;
    const upload = (hour = 12) => client.upload(till.token, [record({ hour })]);
    await upload();
    let taken: Promise<Answer>[] = [];
    const connection = await RawConnection.open(url);
    await whileDaysAreLocked(near.database, async () => {
      taken = [0, 1, 2].map(upload);
      await eventually(() => slots.size === 3, 'three requests in flight');
      const { result: refused, ms } = await timed(upload);
      expectError(refused, 503, /overloaded: retry after/);
      expect(refused.headers.get('Retry-After')).toMatch(/^[1-5]$/);
      expect(refused.headers.get('X-Error-Code')).toBe('overloaded');
      expect(ms).toBeLessThan(stretched(500));
      await connection.send(rawUpload(till.token));
      expectError(await connection.answer(), 503);
      expect((await client.get('/health/live')).status).toBe(200);
      await becomes(200);
    });
    expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await upload()).status).toBe(200);
    await connection.send(rawUpload(till.token));
    expect((await connection.answers(2)).map(({ status }) => status)).toEqual([503, 200]);
    connection.abort();
  });

  test('clients that go away make no room before the work for them is done', async () => {
    const { client, url } = await near.another({ MAX_IN_FLIGHT: 2 });
    const days = ['2025-11-01', '2025-11-02'];
    for (const date of days) await client.upload(till.token, [record({ date })]);
    await whileDaysAreLocked(near.database, async () => {
      const connections: RawConnection[] = [];
      for (const date of days) {
        const connection = await RawConnection.open(url);
        await connection.send(rawUpload(till.token, { date }));
        await untilBlocked(near.database, connections.push(connection));
      }
      for (const connection of connections) connection.abort();
      expectError(await client.upload(till.token, [record()]), 503);
    });
    await eventually(
      async () => (await client.upload(till.token, [record()])).status === 200,
      'room again',
    );
  });

  test('what a shutdown waits for in vain for REQUEST_TIMEOUT_MS is cut', async () => {
    const leaving = await near.another();
    let answered: Promise<unknown> | undefined;
    await whileDaysAreLocked(near.database, async () => {
      answered = leaving.client.upload(till.token, [record()]).catch(() => 'cut');
      await untilBlocked(near.database, 1);
      await drain(leaving.app, { ...leaving.config, REQUEST_TIMEOUT_MS: 300 });
    });
    expect(await answered).toBe('cut');
  });
});

describe('Reads of one user', () => {
  const RANGE = 'from=2025-10-01&to=2025-10-31';
  const DAY = 'restaurant_id=101&date=2025-10-15';
  const DAILY = `/api/v1/sales/daily?${DAY}`;
  const READS = [
    DAILY,
    `/api/v1/sales/uploads?${DAY}`,
    `/api/v1/sales/missing?${RANGE}`,
    `/api/v1/sales/calendar?${RANGE}`,
    `/api/v1/sales/totals?${RANGE}`,
    '/api/v1/restaurants',
  ];
  const MAX_READS = 34; // two run and 32 wait
  const HELD = 4711;

  let other: { token: string };
  let started: number;
  beforeAll(async () => (other = await givenTill(near)));
  beforeEach(hold);
  afterEach(async () => {
    jest.restoreAllMocks();
    await release();
  });

  /** Lets each read of a day keep a connection of the pool busy until `release`. */
  async function hold(): Promise<void> {
    started = 0;
    await near.database.query(`SELECT pg_advisory_lock(${HELD})`);
    const [database, reports] = [near.app.get(Database), near.app.get(ReportsService)];
    const readDay = reports.readDay.bind(reports);
    const waiting = { name: 'hold', text: `SELECT pg_advisory_xact_lock_shared(${HELD})` };
    jest.spyOn(reports, 'readDay').mockImplementation(async (...values) => {
      started++;
      await database.run(waiting, []);
      return readDay(...values);
    });
  }
  const release = () => near.database.query('SELECT pg_advisory_unlock_all()');

  /** Sends more reads than may wait; resolves once those that are too many were rejected. */
  async function flood() {
    const statuses: number[] = [];
    const all = Array.from({ length: MAX_READS + 8 }, async () =>
      statuses.push((await near.client.get(DAILY, till)).status),
    );
    await eventually(() => statuses.length === 8, 'the rejection of 8 reads');
    return { statuses, ended: Promise.all(all) };
  }

  test('take a quarter of the connections: uploads of others are saved meanwhile', async () => {
    const { statuses, ended } = await flood();
    const hours = Array.from({ length: 15 }, (_, hour) => hour);
    const uploads = hours.map((hour) => near.client.upload(other.token, [record({ hour })]));
    const saved = (await Promise.all(uploads)).map(({ status }) => status);
    expect(saved).toEqual(hours.map(() => 200));
    expect(started).toBe(near.config.DATABASE_POOL_MAX / 4);
    await release();
    await ended;
    expect(statuses).toEqual([...Array(8).fill(503), ...Array(MAX_READS).fill(200)]);
  });

  test('do not keep the reads of others waiting', async () => {
    const { statuses, ended } = await flood();
    const run = jest.spyOn(near.app.get(ReadQueue), 'run');
    const read = near.client.get(DAILY, other);
    await eventually(() => run.mock.calls.length === 1, 'the read to wait');
    await release();
    expect((await read).status).toBe(200);
    expect(statuses.length).toBeLessThan(MAX_READS + 8);
    await ended;
  });

  test('are turned away where their turn comes too late for the response', async () => {
    const queue = new ReadQueue(configWith({ DATABASE_POOL_MAX: 4, RESPONSE_TIMEOUT_MS: 1000 }));
    const running = new EventEmitter();
    const first = queue.run(1, () => once(running, 'end'));
    await new Promise((resolve) => setImmediate(resolve)); // the first read runs
    const read = jest.fn();
    const late = expect(queue.run(1, read)).rejects.toThrow('the service is overloaded');
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 301);
    running.emit('end');
    await Promise.all([first, late]);
    expect(read).not.toHaveBeenCalled();
  });

  test('wait in one queue, whatever they read', async () => {
    const routes = operationsOf(await documentOf(near)).flatMap(([route, { security }]) =>
      route.startsWith('GET ') && security[0].bearer ? [route.slice(4)] : [],
    );
    expect(routes.sort()).toEqual(READS.map((path) => path.split('?')[0]).sort());
    const { ended } = await flood();
    for (const path of READS) expectError(await near.client.get(path, till), 503);
    await release();
    await ended;
  });
});
