import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

describe('GET /api/v1/sales/missing', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  /** Each test has three restaurants of its own, and their till. */
  let id = 100;
  let token: string;
  beforeEach(async () => {
    id += 3;
    ({ token } = await givenTill(service, { restaurants: [id, id + 1, id + 2] }));
  });

  const get = (query: string): Promise<any> => service.client.get(`/api/v1/sales/missing?${query}`, { token });
  /** `<restaurant, counted from the test's first> <date> <status>`, in the order of the answer. */
  const listed = async (query: string): Promise<string[]> => {
    const { missing } = (await get(query)).body;
    return missing.map((each: any) => `${each.restaurant_id - id} ${each.date} ${each.status}`);
  };

  test('200: days without records are missing, days with some are partial, with the hours', async () => {
    await service.client.upload(token, day({ restaurant_id: id }));
    await service.client.upload(token, [record({ restaurant_id: id + 1, hour: 23 })]);
    const answer = await get('from=2025-10-15&to=2025-10-15');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      from: '2025-10-15',
      to: '2025-10-15',
      missing: [
        {
          restaurant_id: id + 1,
          name: `Restaurant ${id + 1}`,
          date: '2025-10-15',
          status: 'partial',
          missing_hours: HOURS.slice(0, 23),
        },
        {
          restaurant_id: id + 2,
          name: `Restaurant ${id + 2}`,
          date: '2025-10-15',
          status: 'missing',
          missing_hours: HOURS,
        },
      ],
      next: null,
    });
  });

  test('a day of zeros is not missing', async () => {
    const zeros = Object.fromEntries(Object.keys(record()).map((field) => [field, 0]));
    const records = HOURS.map((hour) => ({ ...zeros, restaurant_id: id, date: '2025-10-15', hour }));
    expect((await service.client.upload(token, records)).status).toBe(200);
    expect(await listed(`from=2025-10-15&to=2025-10-15&restaurant_id=${id}`)).toEqual([]);
  });

  test('a day that is completed hour by hour is missing no more', async () => {
    const query = `from=2025-10-15&to=2025-10-15&restaurant_id=${id}`;
    for (const each of day({ restaurant_id: id })) {
      expect(await listed(query)).toHaveLength(1);
      await service.client.upload(token, [each]);
    }
    expect(await listed(query)).toEqual([]);
  });

  test('both ends of the range belong to it; restaurants come by number, then dates', async () => {
    await service.client.upload(token, day({ restaurant_id: id + 1, date: '2024-02-29' }));
    expect(await listed('from=2024-02-28&to=2024-03-01')).toEqual([
      '0 2024-02-28 missing', '0 2024-02-29 missing', '0 2024-03-01 missing',
      '1 2024-02-28 missing', '1 2024-03-01 missing',
      '2 2024-02-28 missing', '2 2024-02-29 missing', '2 2024-03-01 missing',
    ]); // prettier-ignore
  });

  test('days on which a restaurant is closed are not missing; after it reopens they are', async () => {
    const restaurants = service.app.get(RestaurantsService);
    await restaurants.close(id, '2025-10-03');
    await restaurants.reopen(id, '2025-10-05');
    await restaurants.close(id, '2025-10-06');
    expect(await listed(`from=2025-10-01&to=2025-10-08&restaurant_id=${id}`)).toEqual([
      '0 2025-10-01 missing',
      '0 2025-10-02 missing',
      '0 2025-10-05 missing',
    ]);
  });

  test('only granted restaurants are listed; all for a user with all', async () => {
    await givenRestaurant(service, 9000);
    const query = 'from=2020-01-15&to=2020-01-15';
    expect(await listed(query)).toHaveLength(3);
    const { username, token: allToken } = await givenTill(service, { restaurants: [] });
    token = allToken;
    expect(await listed(query)).toEqual([]);
    await service.database.query('UPDATE users SET all_restaurants = true WHERE username = $1', [username]);
    const restaurants = await service.database.query('SELECT FROM restaurants');
    expect(await listed(query)).toHaveLength(restaurants.length);
  });

  test('pages: limit and after walk through all days, each once', async () => {
    const whole = await listed('from=2025-10-01&to=2025-10-03');
    const seen: string[] = [];
    const sizes: number[] = [];
    let after = '';
    do {
      const query = `from=2025-10-01&to=2025-10-03&limit=4${after}`;
      const page = await listed(query);
      sizes.push(page.length);
      seen.push(...page);
      const { next } = (await get(query)).body;
      after = next === null ? '' : `&after=${next}`;
    } while (after !== '');
    expect(whole).toHaveLength(9);
    expect(seen).toEqual(whole);
    expect(sizes).toEqual([4, 4, 1]);
    expect((await get('from=2025-10-01&to=2025-10-03&limit=9')).body.next).toBeNull();
  });

  test('92 days may be asked for, 93 may not', async () => {
    expect((await get(`from=2025-10-01&to=2025-12-31&restaurant_id=${id}`)).body.missing).toHaveLength(92);
    const answer = await get('from=2025-10-01&to=2026-01-01');
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringMatching(/^from and to .*92/) });
    expect((await get(`from=9999-12-31&to=9999-12-31&restaurant_id=${id}`)).body.missing).toHaveLength(1);
    expect((await get(`from=0001-01-01&to=0001-01-01&restaurant_id=${id}`)).body.missing).toHaveLength(1);
  });

  test('401: without a token', async () => {
    expect((await service.client.get('/api/v1/sales/missing?from=2025-10-15&to=2025-10-15')).status).toBe(401);
  });

  test('403: a restaurant that is not granted is the response that an upload gets', async () => {
    await givenRestaurant(service, 90);
    const foreign = await get('from=2025-10-15&to=2025-10-15&restaurant_id=90');
    const rejected = await service.client.upload(token, [record({ restaurant_id: 90 })]);
    expect([foreign.status, foreign.text]).toEqual([403, rejected.text]);
  });

  test.each([
    ['from is missing', 'to=2025-10-15'],
    ['to is missing', 'from=2025-10-15'],
    ['from must be a day that exists', 'from=2025-13-01&to=2025-10-15'],
    ['to (2025-10-14) must not be before from (2025-10-15)', 'from=2025-10-15&to=2025-10-14'],
    ['restaurant_id must be an integer', 'from=2025-10-15&to=2025-10-15&restaurant_id='],
    ['limit must be an integer from 1 to 1000', 'from=2025-10-15&to=2025-10-15&limit=1001'],
    ['after must be the `next` of the previous page', 'from=2025-10-15&to=2025-10-15&after=101'],
    ['after must be the `next` of the previous page', 'from=2025-10-15&to=2025-10-15&after=101-2025-02-30'],
    ['after must be the `next` of the previous page', 'from=2025-10-15&to=2025-10-15&after=2147483648-2025-10-15'],
  ])('400: %s (%s)', async (text, query) => {
    const answer = await get(query);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(text) });
  });
});
