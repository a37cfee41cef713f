import { addDays } from '../../src/config/business-calendar.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('GET /api/v1/restaurants', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  const list = (token: string) => service.client.get('/api/v1/restaurants', { token });

  test('200: the restaurants that the caller may upload for, by number', async () => {
    await givenRestaurant(service, 103);
    const { token } = await givenTill(service, { restaurants: [102, 101] });
    const answer = await list(token);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        restaurants: [
          { restaurant_id: 101, name: 'Restaurant 101' },
          { restaurant_id: 102, name: 'Restaurant 102' },
        ],
      },
    ]);
  });

  test('200: none granted is none, all granted is all', async () => {
    const { username, token } = await givenTill(service, { restaurants: [] });
    expect((await list(token)).body).toEqual({ restaurants: [] });
    await service.database.query('UPDATE users SET all_restaurants = true WHERE username = $1', [username]);
    expect((await list(token)).body.restaurants).toHaveLength(3);
  });

  test('401: without a token', async () => {
    expect((await service.client.get('/api/v1/restaurants')).status).toBe(401);
  });
});

describe('A restaurant', () => {
  let service: TestApp;
  let restaurants: RestaurantsService;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp({ TIME_ZONE: 'Asia/Singapore' });
    restaurants = service.app.get(RestaurantsService);
  });
  afterAll(() => service.close());

  let id = 100;
  beforeEach(async () => ({ token } = await givenTill(service, { restaurants: [++id] })));

  const upload = (date: string) => service.client.upload(token, [record({ restaurant_id: id, date })]);
  const statuses = async (...dates: string[]) => {
    const answers = [];
    for (const date of dates) answers.push((await upload(date)).status);
    return answers;
  };
  /** The business day so many days from now, in Singapore. */
  const today = (days = 0) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Singapore' }).format(Date.now() + days * 86_400_000);

  test('is renamed: uploads and lists name it newly', async () => {
    await restaurants.rename(id, 'Harbour Grill');
    expect((await upload('2025-10-15')).body.message).toContain(`restaurant ${id} (Harbour Grill)`);
    const listed = await service.client.get('/api/v1/restaurants', { token });
    expect(listed.body.restaurants).toEqual([{ restaurant_id: id, name: 'Harbour Grill' }]);
  });

  test('closes: from that day on uploads are 400 with the reason, days before are taken', async () => {
    await restaurants.close(id, '2025-10-15');
    expect(await statuses('2025-10-14', '2025-10-15', '2099-01-01')).toEqual([200, 400, 400]);
    const answer = await upload('2025-10-16');
    expect(answer.body.error).toMatch(new RegExp(`restaurant ${id} .* is closed on 2025-10-16`));
    expect(answer.headers.get('X-Error-Code')).toBe('restaurant_closed');
  });

  test('keeps what was uploaded for days that are closed afterwards', async () => {
    await service.client.upload(token, day({ restaurant_id: id }));
    await restaurants.close(id, '2025-01-01');
    const path = `/api/v1/sales/daily?restaurant_id=${id}&date=2025-10-15`;
    expect((await service.client.get(path, { token })).body.records).toHaveLength(24);
  });

  test('reopens: days before that stay closed', async () => {
    await restaurants.close(id, '2025-10-10');
    await restaurants.reopen(id, '2025-10-12');
    expect(await statuses('2025-10-09', '2025-10-10', '2025-10-11', '2025-10-12')).toEqual([200, 400, 400, 200]);
  });

  test('reopens today, where no day is given', async () => {
    await restaurants.close(id, today(-3));
    const before = today();
    const { from } = await restaurants.reopen(id);
    expect([before, today()]).toContain(from); // midnight may pass
    expect(await statuses(addDays(from, -1), from)).toEqual([400, 200]);
  });

  test('closed twice is closed from the earlier day', async () => {
    await restaurants.close(id, '2025-10-15');
    await restaurants.close(id, '2025-10-20');
    expect(await statuses('2025-10-14', '2025-10-15')).toEqual([200, 400]);
  });

  test.each([
    ['renamed', () => restaurants.rename(999, 'Nowhere')],
    ['closed', () => restaurants.close(999, '2025-10-15')],
    ['reopened', () => restaurants.reopen(999)],
    ['found by a number that none can have', () => restaurants.get(2 ** 31)],
  ])('that does not exist is not %s', async (_how, act) => {
    await expect(act()).rejects.toThrow('there is no restaurant');
  });

  test('is not renamed to nothing', async () => {
    await expect(restaurants.rename(id, '')).rejects.toThrow('a restaurant name has 1 to 200 characters');
  });
});
