import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MigrationExecutor } from 'typeorm';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { timeLimits } from '../../src/config/time-limits.js';
import { Database } from '../../src/database/database.js';
import { ReportsDatabase } from '../../src/database/reports-database.js';
import { ReadinessService } from '../../src/health/readiness.service.js';
import { SlotGuard } from '../../src/http/requests/slot.guard.js';
import { DaysService } from '../../src/sales/reports/days.service.js';
import { ExportsService } from '../../src/sales/reports/exports.service.js';
import { TotalsService } from '../../src/sales/reports/totals.service.js';
import { UploadsService } from '../../src/sales/uploads/uploads.service.js';
import { drain } from '../../src/server/serve.js';
import type { Answer } from '../support/client.js';
import { expectError, expectErrorForm } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { RawConnection, rawRequest, rawUpload } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { untilBlocked, whileDaysAreLocked } from '../support/test-database.js';
import { stretched, timed } from '../support/time-limits.js';
import { readMetric } from './read-metric.js';

let near: TestApp;
let till: { username: string; password: string; token: string };
beforeAll(async () => {
  near = await createTestApp();
  till = await givenTill(near);
});
afterAll(() => near.close());

const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

const upload = ({ client } = near, changes = {}): Promise<Answer> =>
  client.upload(till.token, [record(changes)]);

function becomes(status: number, { client } = near): Promise<Answer> {
  return eventually(async () => {
    const answer = await client.get('/health/ready');
    return answer.status === status && answer;
  }, `/health/ready to be ${status}`);
}

function expectOverloaded(answer: Answer): void {
  expectError(answer, 503, /: retry after/);
  expect(answer.headers.get('Retry-After')).toMatch(/^[1-5]$/);
  expect(answer.headers.get('X-Error-Code')).toBe('overloaded');
}

describe('GET /health/ready', () => {
  test('asks the database twice a second at most, however many ask', async () => {
    const check = jest.spyOn(MigrationExecutor.prototype, 'getPendingMigrations');
    const begunAt = performance.now();
    await Promise.all(Array.from({ length: 50 }, () => near.client.get('/health/ready')));
    const seconds = (performance.now() - begunAt) / 1000;
    expect(check.mock.calls.length).toBeLessThanOrEqual(2 + 2 * seconds);
    check.mockRestore();
  });

  test('503 where a migration of this release has not run; one of a later release does no harm', async () => {
    const query = (sql: string) => near.database.query(sql);
    await query(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'OfALater')`);
    expect((await becomes(200)).text).toBe('{"status":"ok"}');
    await query(`UPDATE migrations SET name = 'x' || name WHERE name LIKE 'CreateSales%'`);
    expectError(await becomes(503), 503, /lacks migrations/);
    await query(`UPDATE migrations SET name = ltrim(name, 'x')`);
    await becomes(200);
  });
});

describe('While PostgreSQL', () => {
  const POOL = 10;

  let proxy: TcpProxy;
  let service: TestApp;
  beforeAll(async () => {
    proxy = await TcpProxy.to(near.database.url);
    service = await near.another({
      DATABASE_URL: proxy.url,
      DATABASE_POOL_MAX: POOL,
      RESPONSE_TIMEOUT_MS: 5000,
      METRICS_MISSING_UPLOADS: true,
    });
  });
  beforeEach(() => {
    proxy.forward();
    return fillThePool();
  });
  afterAll(() => proxy.close());

  const login = () => service.client.login(till.username, till.password);

  /** Uploads, logins, and what goes by way of TypeORM, all at once; each with its time. */
  function askEverything(): Promise<{ result: Answer; ms: number }[]> {
    const asks = Array.from({ length: 12 }, (_, hour) => [
      () => upload(service, { hour }),
      login,
      () => service.client.get('/api/v1/restaurants', { token: till.token }),
    ]);
    return Promise.all(asks.flat().map(timed));
  }

  /** The first statements of a connection may exceed their limits on a slow machine. */
  async function fillThePool(): Promise<void> {
    const areServed = async () =>
      (await askEverything()).every(({ result: { status } }) => status === 200);
    await eventually(areServed, 'every request to be served');
  }

  async function expectRecovery(): Promise<void> {
    const { ms } = await timed(async () => {
      await eventually(async () => (await upload(service)).status === 200, 'an upload');
      await eventually(async () => (await login()).status === 200, 'a login');
    });
    expect(ms).toBeLessThan(stretched(5000));
    await fillThePool();
    await eventually(() => proxy.connections <= POOL, 'those given up to be closed');
  }

  test.each([
    ['is stopped: 500', 'refuse', 500],
    ['is frozen, or its packets are dropped: 503', 'hold', 503],
  ] as const)('%s in 5 s each, and well in 5 s afterwards', async (_how, mode, expected) => {
    const busy = askEverything(); // the fault meets some of them half-way
    proxy[mode]();
    const unready = becomes(503, service);
    const missing = readMetric('sales_missing_restaurants');
    const later = [1500, 3000].map((ms) => delay(ms).then(askEverything));
    const [halfway, ...rounds] = await Promise.all([busy, ...later]);
    const all = [...halfway, ...rounds.flat()];
    for (const { result: answer } of all) {
      expect([200, 500, 503]).toContain(answer.status);
      if (answer.status !== 200) expectErrorForm(answer);
    }
    expect(Math.max(...all.map(({ ms }) => ms))).toBeLessThan(stretched(5000));
    const statuses = new Set(statusesOf(rounds.flat().map(({ result }) => result)));
    // On a busy machine a time limit may pass before the refusal comes.
    expect([new Set([expected]), new Set([expected, 503])]).toContainEqual(statuses);
    expectError(await unready, 503, /not ready: the database does not answer/);
    expect(await missing).toBeNaN(); // a gauge that fails spoils no other
    const before = proxy.connections;
    const probe = () => service.client.get('/health/ready');
    const probes = await timed(() => Promise.all(Array.from({ length: 50 }, probe)));
    expect(new Set(statusesOf(probes.result))).toEqual(new Set([503]));
    expect(probes.ms).toBeLessThan(stretched(5000));
    expect(proxy.connections - before).toBeLessThan(POOL);
    expect((await service.client.get('/health/live')).status).toBe(200);
    expect((await service.client.upload(undefined, [record()])).status).toBe(401); // needs no database
    proxy.forward();
    await expectRecovery();
    await becomes(200, service);
  });

  test('has lost connections without a word, all are dropped once one was found out', async () => {
    expect(proxy.connections).toBeGreaterThan(4);
    proxy.forget();
    expectError(await upload(service), 503);
    await expectRecovery();
  });

  test('has no connection free, what waits in vain gets 503, and when to send it again', async () => {
    const small = await near.another({ DATABASE_POOL_MAX: 2, RESPONSE_TIMEOUT_MS: 5000 });
    const sleep = { name: 'test_sleep', text: 'SELECT pg_sleep(1.8)' };
    const sleeping = Promise.all([1, 2].map(() => small.app.get(Database).run(sleep, [])));
    const { client } = small;
    const waiting = [upload(small), client.login(till.username, till.password)];
    for (const answer of await Promise.all(waiting)) expectOverloaded(answer);
    await sleeping;
  });
});

describe('Work in flight', () => {
  test('503 at once for what comes on top, on a connection that can be used again; 200 for what was taken on and for probes', async () => {
    const small = await near.another({ MAX_IN_FLIGHT: 3 });
    const { inFlight } = small.app.get(SlotGuard);
    await upload(small);
    let taken: Promise<Answer>[] = [];
    const connection = await RawConnection.open(small.url);
    await whileDaysAreLocked(near.database, async () => {
      taken = [0, 1, 2].map((hour) => upload(small, { hour }));
      await eventually(() => inFlight.signed === 3, 'three requests in flight');
      const { result: refused, ms } = await timed(() => upload(small));
      expectOverloaded(refused);
      expect(ms).toBeLessThan(stretched(500));
      await connection.send(rawUpload(till.token));
      expectOverloaded(await connection.answer());
      expect((await small.client.get('/health/live')).status).toBe(200);
      await becomes(200, small);
    });
    expect(statusesOf(await Promise.all(taken))).toEqual([200, 200, 200]);
    await connection.send(rawUpload(till.token));
    expect(statusesOf(await connection.answers(2))).toEqual([503, 200]);
    connection.abort();
  });

  test('503 in time for what takes longer, on a connection that can be used again; its slot is free once the work is done', async () => {
    const impatient = await near.another({ RESPONSE_TIMEOUT_MS: 2000 });
    const { inFlight } = impatient.app.get(SlotGuard);
    const days = impatient.app.get(DaysService);
    const work = new EventEmitter();
    const readDay = jest.spyOn(days, 'readDay').mockImplementation(async () => {
      await once(work, 'done');
      return '{}';
    });
    const connection = await RawConnection.open(impatient.url);
    const { ms } = await timed(async () => {
      const path = '/api/v1/sales/daily?restaurant_id=101&date=2025-10-15';
      await connection.send(rawRequest(`GET ${path}`, { Authorization: `Bearer ${till.token}` }));
      expectOverloaded(await connection.answer());
    });
    expect(ms).toBeLessThan(stretched(2000));
    expect(inFlight.signed).toBe(1);
    await connection.send(rawUpload(till.token));
    expect(statusesOf(await connection.answers(2))).toEqual([503, 200]);
    expect(inFlight.signed).toBe(1);
    work.emit('done');
    await eventually(() => inFlight.signed === 0, 'the slot to be free');
    await connection.send(rawUpload(till.token));
    expect(statusesOf(await connection.answers(3))).toEqual([503, 200, 200]);
    connection.abort();
    readDay.mockRestore();
  });

  test('a body may take longer to arrive than a response', async () => {
    const impatient = await near.another({ RESPONSE_TIMEOUT_MS: 2000 });
    const connection = await RawConnection.open(impatient.url);
    const [begin, end] = [rawUpload(till.token).slice(0, -9), rawUpload(till.token).slice(-9)];
    await connection.send(begin);
    await delay(2500);
    await connection.send(end);
    expect((await connection.answer()).status).toBe(200);
    connection.abort();
  });

  test('clients that go away make no room before the work for them is done', async () => {
    const small = await near.another({ MAX_IN_FLIGHT: 2 });
    const days = ['2025-11-01', '2025-11-02'];
    for (const date of days) await upload(small, { date });
    await whileDaysAreLocked(near.database, async () => {
      const connections: RawConnection[] = [];
      for (const date of days) {
        const connection = await RawConnection.open(small.url);
        await connection.send(rawUpload(till.token, { date }));
        await untilBlocked(near.database, connections.push(connection));
      }
      const server: Server = small.app.getHttpServer();
      const count = promisify(server.getConnections.bind(server));
      const before = await count();
      for (const connection of connections) connection.abort();
      await eventually(async () => (await count()) <= before - 2, 'the service to see them go');
      expectOverloaded(await upload(small));
    });
    await eventually(async () => (await upload(small)).status === 200, 'room again');
  });

  test.each(['', rawRequest('GET /health/ready')])(
    'a client that goes away while its token is checked takes no slot (behind %j)',
    async (first) => {
      const other = await near.another();
      const { inFlight } = other.app.get(SlotGuard);
      const check = new EventEmitter();
      const isLive = jest
        .spyOn(other.app.get(TokensService), 'isLive')
        .mockImplementationOnce(() => once(check, 'over').then(() => true));
      jest
        .spyOn(other.app.get(ReadinessService, { strict: false }), 'assertReady')
        .mockImplementationOnce(() => once(check, 'over').then(() => undefined));
      const begun = jest.spyOn(other.app.get(ExportsService), 'export');
      const connection = await RawConnection.open(other.url);
      const path = '/api/v1/sales/export?from=2025-10-01&to=2025-10-01';
      const request = rawRequest(`GET ${path}`, { Authorization: `Bearer ${till.token}` });
      await connection.send(first + request);
      await eventually(() => isLive.mock.calls.length === 1, 'the token to be checked');
      const server: Server = other.app.getHttpServer();
      connection.abort();
      const count = promisify(server.getConnections.bind(server));
      await eventually(async () => (await count()) === 0, 'the service to see it go');
      check.emit('over');
      await eventually(() => begun.mock.results.length === 1, 'the export to begin');
      await begun.mock.results[0]!.value;
      await eventually(() => inFlight.signed === 0, 'the slot to be free', 10_000);
    },
  );

  test('what a shutdown waits for in vain for REQUEST_TIMEOUT_MS is cut', async () => {
    const leaving = await near.another();
    let answered: Promise<unknown> | undefined;
    await whileDaysAreLocked(near.database, async () => {
      answered = upload(leaving).catch(() => 'cut');
      await untilBlocked(near.database, 1);
      await drain(leaving.app, { ...leaving.config, REQUEST_TIMEOUT_MS: 300 });
    });
    expect(await answered).toBe('cut');
  });
});

describe('Reports of one user', () => {
  const TOTALS = '/api/v1/sales/totals?from=2025-10-15&to=2025-10-15';
  const DAILY = '/api/v1/sales/daily?restaurant_id=101&date=2025-10-15';
  const MAX_REPORTS = 34; // two run and 32 wait
  const TOO_MANY = 8;
  const HELD = 4711;

  let other: { token: string };
  let third: { token: string };
  let started: string[];
  let statuses: number[];
  let ended: Promise<unknown>;
  beforeAll(async () => ([other, third] = [await givenTill(near), await givenTill(near)]));
  /** Lets each report keep a connection busy until `release`, and asks for too many of them. */
  beforeEach(async () => {
    [started, statuses] = [[], []];
    await near.database.query(`SELECT pg_advisory_lock(${HELD})`);
    const [database, totals] = [near.app.get(ReportsDatabase), near.app.get(TotalsService)];
    const readTotals = totals.readTotals.bind(totals);
    const waiting = { name: 'hold', text: `SELECT pg_advisory_xact_lock_shared(${HELD})` };
    jest.spyOn(totals, 'readTotals').mockImplementation(async (filter, request) => {
      started.push(filter.restaurantIds ? 'of another' : 'own');
      await database.run(waiting, []);
      return readTotals(filter, request);
    });
    const read = async () => statuses.push((await near.client.get(TOTALS, till)).status);
    ended = Promise.all(Array.from({ length: MAX_REPORTS + TOO_MANY }, read));
    await eventually(() => statuses.length === TOO_MANY, 'those that are too many');
  });
  const release = () => near.database.query('SELECT pg_advisory_unlock_all()');
  afterEach(async () => {
    await release();
    await ended;
    jest.restoreAllMocks();
  });

  const expectAllServed = async (): Promise<void> => {
    await ended;
    expect(statuses).toEqual([...Array(TOO_MANY).fill(503), ...Array(MAX_REPORTS).fill(200)]);
  };

  test('take no connection of uploads, days and logins, also where they take all of their own', async () => {
    const { client } = near;
    const begin = () => client.get(TOTALS, other); // takes the last of them
    const others = [begin(), begin()];
    await untilBlocked(near.database, near.config.DATABASE_POOL_MAX / 2);
    const hours = Array.from({ length: 15 }, (_, hour) => hour);
    const served = await Promise.all([
      ...hours.map((hour) => client.upload(till.token, [record({ hour })])),
      client.get(DAILY, third),
      client.get(DAILY.replace('daily', 'uploads'), third),
      client.post('/api/v1/sales/upload-daily?dry_run=true', { records: [record()] }, till),
      client.login(till.username, till.password),
    ]);
    expect(new Set(statusesOf(served))).toEqual(new Set([200]));
    expect(started).toHaveLength(4);
    await release();
    expect(statusesOf(await Promise.all(others))).toEqual([200, 200]);
    await expectAllServed();
  });

  test('keep no report of another user waiting for theirs that wait', async () => {
    const read = near.client.get(`${TOTALS}&restaurant_id=101`, other);
    await eventually(() => started.length === 3, 'the report of another to begin');
    expect(started).toEqual(['own', 'own', 'of another']);
    await release();
    expect((await read).status).toBe(200);
    expect(statuses.length).toBeLessThan(TOO_MANY + MAX_REPORTS);
    await expectAllServed();
  });

  test('whose turn comes too late for the response are turned away', async () => {
    const late = performance.now() + timeLimits(near.config).queue + 1;
    jest.spyOn(performance, 'now').mockReturnValue(late);
    await release();
    await ended;
    expect(started).toEqual(['own', 'own']);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  });

  test.each(['missing', 'calendar', 'totals', 'changes', 'daily', 'uploads'])(
    'wait in one queue: %s',
    async (name) => {
      const path = `${TOTALS}&restaurant_id=101&date=2025-10-15`.replace('totals', name);
      expectOverloaded(await near.client.get(path, till));
    },
  );
});

test('Dry runs of one user read two at a time, too many are turned away, and uploads are saved', async () => {
  const uploads = near.app.get(UploadsService);
  const work = new EventEmitter();
  const preview = jest.spyOn(uploads, 'previewDay').mockImplementation(async () => {
    await once(work, 'done');
    throw new Error('done');
  });
  const answers: number[] = [];
  const path = '/api/v1/sales/upload-daily?dry_run=true';
  const send = async () => {
    answers.push((await near.client.post(path, { records: [record()] }, till)).status);
  };
  const sent = Promise.all(Array.from({ length: 36 }, send));
  await eventually(() => answers.length === 2, 'those that are too many');
  expect([answers, preview.mock.calls.length]).toEqual([[503, 503], 2]);
  expect((await upload()).status).toBe(200);
  preview.mockRestore();
  work.emit('done');
  await sent;
});
