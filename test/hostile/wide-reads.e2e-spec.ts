import { Database } from '../../src/database/database.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const WIDE = ['read_totals', 'read_calendar'];

describe('Reads of many restaurants', () => {
  let service: TestApp;
  let database: Database;
  let isReleased: Promise<void>;
  let release: () => void;
  /** The users whose reads were started. */
  let started: unknown[];

  beforeAll(async () => (service = await createTestApp()));
  beforeEach(() => {
    database = service.app.get(Database);
    const run = database.run.bind(database);
    isReleased = new Promise((resolve) => (release = resolve));
    started = [];
    jest.spyOn(database, 'run').mockImplementation(async (statement, values) => {
      if (WIDE.includes(statement.name)) {
        started.push(values[0]);
        await isReleased;
      }
      return run(statement, values);
    });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const flood = (what: string, token: string) => {
    const statuses: number[] = [];
    const all = Array.from({ length: 60 }, async () => {
      const { status } = await service.client.get(`/api/v1/sales/${what}?from=2025-10-01&to=2025-10-31`, { token });
      return statuses.push(status);
    });
    return { statuses, ended: Promise.all(all) };
  };
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await new Promise(setImmediate);
  };

  test.each(['totals', 'calendar'])('%s: however many are sent, uploads are saved', async (what) => {
    const { token } = await givenTill(service);
    const { statuses, ended } = flood(what, token);
    await until(() => statuses.length === 28 && started.length > 0);
    expect((await service.client.upload(token, [record()])).status).toBe(200);
    expect([statuses.every((status) => status === 503), started.length]).toEqual([
      true,
      service.config.DATABASE_POOL_MAX / 4,
    ]);
    release();
    await ended;
    expect(statuses.filter((status) => status === 200)).toHaveLength(32);
  });

  test('a user with many does not keep the others waiting', async () => {
    const [{ token }, other] = [await givenTill(service), await givenTill(service)];
    const { statuses, ended } = flood('totals', token);
    await until(() => statuses.length === 28);
    const [busy] = started;
    const path = '/api/v1/sales/totals?from=2025-10-01&to=2025-10-31';
    const read = service.client.get(path, { token: other.token });
    await until(() => statuses.length === 29); // the first user has lost one more
    release();
    expect((await read).status).toBe(200);
    await ended;
    expect(statuses.filter((status) => status === 200)).toHaveLength(31);
    expect(started.findIndex((user) => user !== busy)).toBeLessThanOrEqual(service.config.DATABASE_POOL_MAX / 4 + 1);
  });
});
