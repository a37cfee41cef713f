import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('POST /api/v1/sales/upload-daily', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  test('200: a day of 24 records is saved and counted', async () => {
    const till = await givenTill(service);
    const answer = await service.client.upload(till.token, day());
    expect(answer.body).toEqual({
      success: true,
      processed: 24,
      message: '24 hourly records saved for restaurant 101 (Restaurant 101) on 2025-10-15',
    });
    expect(answer.status).toBe(200);
    expect(await service.database.query('SELECT count(*)::int AS hours FROM hourly_sales')).toEqual([{ hours: 24 }]);
  });

  test('403: a restaurant that is unknown and one that is not granted get the same response', async () => {
    const till = await givenTill(service, { restaurants: [] });
    const unknown = await service.client.upload(till.token, [record({ restaurant_id: 999 })]);
    const foreign = await service.client.upload(till.token, [record()]);
    expect([unknown.status, foreign.status]).toEqual([403, 403]);
    expect(unknown.body.error.replace('999', '101')).toBe(foreign.body.error);
  });
});
