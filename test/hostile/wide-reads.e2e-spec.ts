import { Database } from '../../src/database/database.js';
import { ReportsService } from '../../src/sales/reports/reports.service.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { documentOf, operationsOf } from '../support/openapi.js';
import { record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

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
const MAX_READS = 32;
const HELD = 4711;

describe('Reads of one user', () => {
  let service: TestApp;
  let token: string;
  let other: { token: string };
  let started: number;

  beforeAll(async () => {
    service = await createTestApp();
    ({ token } = await givenTill(service));
    other = await givenTill(service);
  });
  beforeEach(hold);
  afterEach(async () => {
    jest.restoreAllMocks();
    await release();
  });
  afterAll(() => service.close());

  /** Lets each read of a day keep a connection of the pool busy until `release`. */
  async function hold(): Promise<void> {
    started = 0;
    await service.database.query(`SELECT pg_advisory_lock(${HELD})`);
    const [database, reports] = [service.app.get(Database), service.app.get(ReportsService)];
    const readDay = reports.readDay.bind(reports);
    const waiting = { name: 'hold', text: `SELECT pg_advisory_xact_lock_shared(${HELD})` };
    jest.spyOn(reports, 'readDay').mockImplementation(async (...values) => {
      started++;
      await database.run(waiting, []);
      return readDay(...values);
    });
  }
  const release = () => service.database.query('SELECT pg_advisory_unlock_all()');

  /** Sends more reads than may wait; resolves once those that are too many were rejected. */
  async function flood() {
    const statuses: number[] = [];
    const all = Array.from({ length: MAX_READS + 8 }, async () =>
      statuses.push((await service.client.get(DAILY, { token })).status),
    );
    await eventually(() => statuses.length === 8, 'the rejection of 8 reads');
    return { statuses, ended: Promise.all(all) };
  }

  test('take a quarter of the connections: uploads of others are saved meanwhile', async () => {
    const { statuses, ended } = await flood();
    const hours = Array.from({ length: 15 }, (_, hour) => hour);
    const uploads = hours.map((hour) => service.client.upload(other.token, [record({ hour })]));
    const saved = (await Promise.all(uploads)).map(({ status }) => status);
    expect(saved).toEqual(hours.map(() => 200));
    expect(started).toBe(service.config.DATABASE_POOL_MAX / 4);
    await release();
    await ended;
    expect(statuses).toEqual([...Array(8).fill(503), ...Array(MAX_READS).fill(200)]);
  });

  test('do not keep the reads of others waiting', async () => {
    const { statuses, ended } = await flood();
    const read = service.client.get(DAILY, { token: other.token });
    await eventually(() => statuses.length === 9, 'the first user to lose one more');
    await release();
    expect((await read).status).toBe(200);
    expect(statuses.length).toBeLessThan(MAX_READS + 8);
    await ended;
  });

  test('wait in one queue, whatever they read', async () => {
    const routes = operationsOf(await documentOf(service)).flatMap(([route, { security }]) =>
      route.startsWith('GET ') && security?.length !== 0 ? [route.slice(4)] : [],
    );
    expect(routes.sort()).toEqual(READS.map((path) => path.split('?')[0]).sort());
    const { ended } = await flood();
    for (const path of READS) expectError(await service.client.get(path, { token }), 503);
    await release();
    await ended;
  });
});
