import { givenRestaurant, givenTill } from '../support/given.js';
import { day, FIGURES, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const ZEROS = Object.fromEntries(FIGURES.map((name) => [name, 0]));

function pathOf(restaurantId: number): string {
  return `/api/v1/sales/daily?restaurant_id=${restaurantId}&date=2025-10-15`;
}

describe('GET /api/v1/sales/daily', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  /** Each test has a restaurant of its own, and its till. */
  let id = 100;
  let token: string;
  beforeEach(async () => ({ token } = await givenTill(service, { restaurants: [++id] })));

  const read = async (): Promise<any> => (await service.client.get(pathOf(id), { token })).body;

  test('200: the records come back as they were sent, by hour, in the fields of the contract and their order', async () => {
    const sent = day({ restaurant_id: id });
    await service.client.upload(token, [...sent].reverse());
    const answer = await service.client.get(pathOf(id), { token });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ restaurant_id: id, date: '2025-10-15', missing_hours: [] });
    expect(JSON.stringify(answer.body.records)).toBe(JSON.stringify(sent));
    expect(answer.body.last_uploaded_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(answer.body.last_uploaded_at) - Date.now())).toBeLessThan(60_000);
  });

  test('200: nothing uploaded is no records, 24 missing hours and totals of zero', async () => {
    const answer = await service.client.get(pathOf(id), { token });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      restaurant_id: id,
      date: '2025-10-15',
      records: [],
      missing_hours: HOURS,
      totals: ZEROS,
      last_uploaded_at: null,
    });
  });

  test('amounts come back digit for digit, and totals are added as decimals', async () => {
    const amounts = ['0.1', '0.2', '99999999999.9999', '0.0000001', '123456789.123456', '10.50', '1e-7', '7.0'];
    const sent = amounts.map((gto, hour) => {
      return JSON.stringify(record({ restaurant_id: id, hour, gto: 0 })).replace('"gto":0', `"gto":${gto}`);
    });
    await service.client.post('/api/v1/sales/upload-daily', `{"records":[${sent.join()}]}`, { token });
    const { text } = await service.client.get(pathOf(id), { token });
    expect([...text.matchAll(/"gto":([^,]*)/g)].map((match) => match[1])).toEqual([
      '0.1', '0.2', '99999999999.9999', '0.0000001', '123456789.123456', '10.5', '0.0000001', '7',
      '100123456806.9233562', // JavaScript adds them up to 100123456806.92336
    ]); // prettier-ignore
  });

  test('a total has no more digits than it needs', async () => {
    await service.client.upload(
      token,
      [7, 8].map((hour) => record({ restaurant_id: id, hour, gto: 0.25, svc: 0.5 })),
    );
    const { text } = await service.client.get(pathOf(id), { token });
    expect(text.slice(text.indexOf('"totals"'))).toContain('"gto":0.5,"gst":225.1,"svc":1,');
  });

  test('hours not sent are missing; an hour of zeros is not', async () => {
    await service.client.upload(token, [
      record({ restaurant_id: id, hour: 20 }),
      record({ restaurant_id: id, hour: 3, ...ZEROS }),
    ]);
    const { missing_hours, records } = await read();
    expect(missing_hours).toEqual(HOURS.filter((hour) => hour !== 3 && hour !== 20));
    expect(records.map(({ hour }: { hour: number }) => hour)).toEqual([3, 20]);
  });

  test('a correction shows the newest values, and those of no other day or restaurant', async () => {
    const other = await givenTill(service, { restaurants: [9000] });
    await service.client.upload(other.token, [record({ restaurant_id: 9000, gto: 3 })]);
    await service.client.upload(token, [record({ restaurant_id: id, gto: 1 })]);
    await service.client.upload(token, [record({ restaurant_id: id, gto: 4, date: '2025-10-16' })]);
    await service.client.upload(token, [record({ restaurant_id: id, gto: 2 })]);
    expect((await read()).totals.gto).toBe(2);
  });

  test('401: without a token', async () => {
    expect((await service.client.get(pathOf(id))).status).toBe(401);
  });

  test('403: a restaurant that is unknown and one that is not granted get the response that an upload gets', async () => {
    await givenRestaurant(service, 90);
    const foreign = await service.client.get(pathOf(90), { token });
    const unknown = await service.client.get(pathOf(91), { token });
    const upload = await service.client.upload(token, [record({ restaurant_id: 90 })]);
    expect([foreign.status, unknown.status, upload.status]).toEqual([403, 403, 403]);
    expect(foreign.text).toBe(upload.text);
    expect(unknown.text.replace('91', '90')).toBe(upload.text);
  });

  test('a user granted all restaurants may read all', async () => {
    const { username, token: allToken } = await givenTill(service, { restaurants: [] });
    expect((await service.client.get(pathOf(id), { token: allToken })).status).toBe(403);
    await service.database.query('UPDATE users SET all_restaurants = true WHERE username = $1', [username]);
    expect((await service.client.get(pathOf(id), { token: allToken })).status).toBe(200);
  });

  test.each([
    ['restaurant_id is missing', 'date=2025-10-15'],
    ['restaurant_id must be an integer', 'restaurant_id=1e2&date=2025-10-15'],
    ['restaurant_id must be an integer', 'restaurant_id=2147483648&date=2025-10-15'],
    ['restaurant_id must be an integer', 'restaurant_id=101&restaurant_id=101&date=2025-10-15'],
    ['date is missing', 'restaurant_id=101'],
    ['date must be a day that exists', 'restaurant_id=101&date=2025-02-30'],
    ['date must be a day that exists', 'restaurant_id=101&date='],
    ['date must be a day that exists', 'restaurant_id=101&date=2025-10-15&date=2025-10-15'],
  ])('400: %s (%s)', async (text, query) => {
    const answer = await service.client.get(`/api/v1/sales/daily?${query}`, { token });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(text) });
  });

  test('405: other methods', async () => {
    const answer = await service.client.post(pathOf(id), {}, { token });
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('no cache keeps the figures', async () => {
    expect((await service.client.get(pathOf(id), { token })).headers.get('Cache-Control')).toBe('no-store');
  });
});
