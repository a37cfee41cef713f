import { Database } from '../../src/database/database.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const WIDE = ['read_totals', 'read_calendar'];

describe('Reads of many restaurants', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  test.each(['totals', 'calendar'])('%s: however many are sent, uploads are saved', async (what) => {
    const { token } = await givenTill(service);
    const database = service.app.get(Database);
    const run = database.run.bind(database);
    let running = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    jest.spyOn(database, 'run').mockImplementation(async (statement, values) => {
      if (WIDE.includes(statement.name)) {
        running++;
        await released;
      }
      return run(statement, values);
    });
    let rejected = 0;
    const reads = Array.from({ length: 60 }, async () => {
      const { status } = await service.client.get(`/api/v1/sales/${what}?from=2025-10-01&to=2025-10-31`, { token });
      if (status === 503) rejected++;
      return status;
    });
    while (running + rejected < 28 + database.connectionsForWideReads) await new Promise(setImmediate);
    expect((await service.client.upload(token, [record()])).status).toBe(200);
    expect(running).toBeLessThanOrEqual(database.connectionsForWideReads);
    release();
    expect((await Promise.all(reads)).filter((status) => status === 200)).toHaveLength(32);
  });
});
