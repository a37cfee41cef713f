import { Database } from '../../src/database/database.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { ReportsService } from '../../src/sales/reports/reports.service.js';
import { givenTill } from '../support/given.js';
import { documentOf, operationsOf } from '../support/openapi.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const RANGE = 'from=2025-10-01&to=2025-10-31';
const DAY = 'restaurant_id=101&date=2025-10-15';
/** Every read route, and the method that its work begins with. */
const READS: [path: string, service: any, method: string][] = [
  [`/api/v1/sales/daily?${DAY}`, ReportsService, 'readDay'],
  [`/api/v1/sales/uploads?${DAY}`, ReportsService, 'readUploads'],
  [`/api/v1/sales/missing?${RANGE}`, ReportsService, 'findMissing'],
  [`/api/v1/sales/calendar?${RANGE}`, ReportsService, 'readCalendar'],
  [`/api/v1/sales/totals?${RANGE}`, ReportsService, 'readTotals'],
  [`/api/v1/sales/totals?${RANGE}&group_by=restaurant`, ReportsService, 'readTotals'],
  ['/api/v1/restaurants', RestaurantsService, 'listVisible'],
];
const HELD = 4711;

describe('Reads of one user', () => {
  let service: TestApp;
  /** The users whose reads hold a connection until `release`. */
  let started: number;

  beforeAll(async () => (service = await createTestApp({ RESPONSE_TIMEOUT_MS: 8000 })));
  beforeEach(() => service.database.query(`SELECT pg_advisory_lock(${HELD})`));
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.database.query('SELECT pg_advisory_unlock_all()');
  });
  afterAll(() => service.close());

  const release = () => service.database.query('SELECT pg_advisory_unlock_all()');
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await new Promise(setImmediate);
  };

  /** Each call of the method keeps a connection of the pool busy until `release`. */
  function hold(type: any, method: string): void {
    started = 0;
    const [database, target] = [service.app.get(Database), service.app.get(type)];
    const original = target[method].bind(target);
    jest.spyOn(target, method).mockImplementation(async (...values: unknown[]) => {
      started++;
      await database.run(
        { name: 'hold', text: `SELECT pg_advisory_xact_lock_shared(${HELD})` },
        [],
      );
      return original(...values);
    });
  }

  function flood(path: string, token: string) {
    const statuses: number[] = [];
    const all = Array.from({ length: 40 }, async () => {
      statuses.push((await service.client.get(path, { token })).status);
    });
    return { statuses, ended: Promise.all(all) };
  }

  test.each(READS)(
    '40 of %s: uploads of others are saved meanwhile',
    async (path, type, method) => {
      const [{ token }, other] = [await givenTill(service), await givenTill(service)];
      hold(type, method);
      const { statuses, ended } = flood(path, token);
      await until(() => started >= service.config.DATABASE_POOL_MAX / 4);
      const uploads = Array.from({ length: 15 }, (_, hour) =>
        service.client.upload(other.token, [record({ hour })]),
      );
      const answers = await Promise.all(uploads);
      expect(answers.map(({ status }) => status)).toEqual(uploads.map(() => 200));
      expect(started).toBe(service.config.DATABASE_POOL_MAX / 4);
      await release();
      await ended;
      expect(statuses.filter((status) => status === 200)).toHaveLength(32);
      expect(statuses.filter((status) => status === 503)).toHaveLength(8);
    },
  );

  test('do not keep the reads of others waiting', async () => {
    const [{ token }, other] = [await givenTill(service), await givenTill(service)];
    hold(ReportsService, 'readDay');
    const path = `/api/v1/sales/daily?${DAY}`;
    const { statuses, ended } = flood(path, token);
    await until(() => statuses.length === 8);
    const read = service.client.get(path, { token: other.token });
    await until(() => statuses.length === 9); // the first user has lost one more
    await release();
    expect((await read).status).toBe(200);
    expect(statuses.length).toBeLessThan(40);
    await ended;
  });

  test('every read route that needs a token is one of these', async () => {
    const routes = operationsOf(await documentOf(service)).flatMap(([route, { security }]) =>
      route.startsWith('GET ') && security?.length !== 0 ? [route.slice(4)] : [],
    );
    const paths = READS.map(([path]) => path.split('?')[0]!);
    expect(routes.sort()).toEqual([...new Set(paths)].sort());
  });
});
