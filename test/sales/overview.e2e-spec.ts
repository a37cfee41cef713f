import { addDays, BusinessCalendar } from '../../src/config/business-calendar.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { givenTill } from '../support/given.js';
import { day, FIGURES, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const ZEROS = Object.fromEntries(FIGURES.map((name) => [name, 0]));

describe('The overview of many days', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  /** Each test has three restaurants of its own, and their till. */
  let id = 100;
  let till: { username: string; token: string };
  beforeEach(async () => {
    id += 3;
    till = await givenTill(service, { restaurants: [id, id + 1, id + 2] });
  });

  const get = (
    what: 'calendar' | 'totals' | 'missing',
    query: string,
    token = till.token,
  ): Promise<any> => service.client.get(`/api/v1/sales/${what}?${query}`, { token });
  const upload = (records: Record<string, unknown>[]): Promise<any> =>
    service.client.upload(till.token, records);
  const lettersOf = async (query: string): Promise<string[]> =>
    (await get('calendar', query)).body.restaurants.map(({ days }: any) => days);

  describe('GET /api/v1/sales/calendar', () => {
    test('200: a row per restaurant by id, a letter per day: complete, partial, missing', async () => {
      await upload(day({ restaurant_id: id, date: '2025-10-14' }));
      await upload(day({ restaurant_id: id, date: '2025-10-15', ...ZEROS, orders: 3 }));
      await upload([record({ restaurant_id: id, date: '2025-10-16' })]);
      await upload([
        ...day({ restaurant_id: id + 2, date: '2025-10-17', gto: 0 }).slice(1),
        record({ restaurant_id: id + 2, date: '2025-10-17', hour: 0, gto: 0.01 }),
      ]);
      const answer = await get('calendar', 'from=2025-10-13&to=2025-10-17');
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        from: '2025-10-13',
        to: '2025-10-17',
        today: service.app.get(BusinessCalendar).today(),
        time_zone: 'UTC',
        restaurants: [
          { restaurant_id: id, name: `Restaurant ${id}`, days: 'MCCPM' },
          { restaurant_id: id + 1, name: `Restaurant ${id + 1}`, days: 'MMMMM' },
          { restaurant_id: id + 2, name: `Restaurant ${id + 2}`, days: 'MMMMC' },
        ],
        next: null,
      });
    });

    test('closed days are marked, with or without figures; after it reopens they are not', async () => {
      const restaurants = service.app.get(RestaurantsService);
      await upload(day({ restaurant_id: id, date: '2025-10-02' }));
      await restaurants.close(id, '2025-10-02');
      await restaurants.reopen(id, '2025-10-04');
      expect(await lettersOf(`from=2025-10-01&to=2025-10-05&restaurant_id=${id}`)).toEqual([
        'MXXMM',
      ]);
    });

    test('today and the days after it are not missing; what was uploaded for them completely is shown', async () => {
      const today = '2025-12-31';
      const calendar = jest
        .spyOn(service.app.get(BusinessCalendar), 'today')
        .mockReturnValue(today);
      await upload([record({ restaurant_id: id, date: today })]);
      await upload([record({ restaurant_id: id, date: addDays(today, 1) })]);
      await upload(day({ restaurant_id: id, date: addDays(today, 2) }));
      const query = `from=${addDays(today, -1)}&to=${addDays(today, 3)}&restaurant_id=${id}`;
      const { body } = await get('calendar', query);
      expect([body.today, body.restaurants[0].days]).toEqual([today, 'MTFCF']);
      calendar.mockRestore();
    });

    test('pages: limit and after walk through all restaurants, each once', async () => {
      const seen: number[][] = [];
      for (let after: number | null = 0; after !== null;) {
        const query = `from=2025-10-15&to=2025-10-15&limit=2${after ? `&after=${after}` : ''}`;
        const { restaurants, next }: any = (await get('calendar', query)).body;
        seen.push(restaurants.map((each: any) => each.restaurant_id));
        after = next;
      }
      expect(seen).toEqual([[id, id + 1], [id + 2]]);
      expect((await get('calendar', 'from=2025-10-15&to=2025-10-15&limit=3')).body.next).toBeNull();
    });

    test('only the restaurants that were asked for', async () => {
      const query = `from=2025-10-15&to=2025-10-15&restaurant_id=${id + 2},${id}`;
      expect(
        (await get('calendar', query)).body.restaurants.map((each: any) => each.restaurant_id),
      ).toEqual([id, id + 2]);
    });
  });

  describe('GET /api/v1/sales/totals', () => {
    test('200: every day of the range, with exact decimal totals over the restaurants', async () => {
      await upload([
        record({ restaurant_id: id, hour: 9, gto: 0.1, orders: 2147483647 }),
        record({ restaurant_id: id, hour: 10, gto: 99999999999.9999, orders: 2147483647 }),
      ]);
      await upload([record({ restaurant_id: id + 1, gto: 0.2, pax: 1 })]);
      await upload([record({ restaurant_id: id + 2, gto: 5, date: '2025-10-18' })]);
      const { status, body, text } = await get('totals', 'from=2025-10-14&to=2025-10-16');
      expect(status).toBe(200);
      expect(body).toMatchObject({ from: '2025-10-14', to: '2025-10-16' });
      expect(body.days.map(({ date, hours }: any) => [date, hours])).toEqual([
        ['2025-10-14', 0],
        ['2025-10-15', 3],
        ['2025-10-16', 0],
      ]);
      expect(body.days[0].totals).toEqual(ZEROS);
      expect(Object.keys(body.days[1].totals)).toEqual(FIGURES);
      expect(text).toContain('"totals":{"orders":4294967336,"gto":100000000000.2999,"gst":337.65,');
      expect(body.days[1].totals.pax).toBe(96 + 96 + 1);
    });

    test('totals of one restaurant are those of its day', async () => {
      await upload(day({ restaurant_id: id }));
      await upload(day({ restaurant_id: id + 1 }));
      const path = `/api/v1/sales/daily?restaurant_id=${id}&date=2025-10-15`;
      const daily = (await service.client.get(path, { token: till.token })).body;
      const { days } = (await get('totals', `from=2025-10-15&to=2025-10-15&restaurant_id=${id}`))
        .body;
      expect(days).toEqual([{ date: '2025-10-15', hours: 24, totals: daily.totals }]);
      const both = (
        await get('totals', `from=2025-10-15&to=2025-10-15&restaurant_id=${id},${id + 1}`)
      ).body;
      expect(both.days[0]).toMatchObject({ hours: 48, totals: { gto: 2 * daily.totals.gto } });
    });
  });

  test('totals by restaurant: a line for each, also for one without sales', async () => {
    await upload(day({ restaurant_id: id, date: '2025-10-14' }));
    await upload([record({ restaurant_id: id, gto: 0.1 })]);
    await upload([record({ restaurant_id: id + 2, gto: 99999999999.9999, date: '2025-10-16' })]);
    const range = 'from=2025-10-14&to=2025-10-16';
    const { status, body, text } = await get('totals', `${range}&group_by=restaurant`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['from', 'to', 'restaurants']);
    expect(
      body.restaurants.map((each: any) => [each.restaurant_id, each.name, each.hours]),
    ).toEqual([
      [id, `Restaurant ${id}`, 25],
      [id + 1, `Restaurant ${id + 1}`, 0],
      [id + 2, `Restaurant ${id + 2}`, 1],
    ]);
    const { days } = (await get('totals', `${range}&restaurant_id=${id}`)).body;
    const orders = (lines: any[]): number[] => lines.map(({ totals }) => totals.orders);
    expect(body.restaurants[0].totals.orders).toBe(orders(days).reduce((sum, n) => sum + n));
    expect(body.restaurants[1].totals).toEqual(ZEROS);
    expect(text).toContain('"gto":99999999999.9999,');
    const one = await get('totals', `${range}&group_by=restaurant&restaurant_id=${id + 1}`);
    expect(one.body.restaurants).toEqual([body.restaurants[1]]);
  });

  test('totals and missing days of very many restaurants are of fewer days: 40,000 and 100,000 in all', async () => {
    const { username, token } = await givenTill(service, { restaurants: [] });
    await service.database.query(
      "INSERT INTO restaurants (id, name) SELECT n, 'one of many' FROM generate_series(1000001, 1002000) AS n",
    );
    await service.database.query(
      'INSERT INTO restaurant_grants (user_id, restaurant_id) SELECT users.id, r.id FROM users, restaurants AS r WHERE username = $1 AND r.id > 1000000',
      [username],
    );
    for (const [what, days, last, next] of [
      ['totals', 20, '2025-10-20', '2025-10-21'],
      ['missing', 50, '2025-11-19', '2025-11-20'],
    ] as const) {
      expect((await get(what, `from=2025-10-01&to=${last}`, token)).status).toBe(200);
      const answer = await get(what, `from=2025-10-01&to=${next}`, token);
      expect([answer.status, answer.body.error]).toEqual([
        400,
        expect.stringContaining(`at most ${days} days`),
      ]);
      const one = 'from=2025-10-01&to=2025-12-01&restaurant_id=1000001';
      expect((await get(what, one, token)).status).toBe(200);
    }
    expect((await get('calendar', 'from=2025-10-01&to=2025-12-01&limit=1', token)).status).toBe(
      200,
    );
  });

  describe.each(['calendar', 'totals'] as const)('%s', (what) => {
    test('only granted restaurants are read; all for a user with all', async () => {
      const { username, token } = await givenTill(service, { restaurants: [] });
      await upload([record({ restaurant_id: id, date: '2020-01-15' })]);
      const read = async (): Promise<number> => {
        const { restaurants, days } = (await get(what, 'from=2020-01-15&to=2020-01-15', token))
          .body;
        return restaurants?.length ?? days[0].hours;
      };
      expect(await read()).toBe(0);
      await service.database.query('UPDATE users SET all_restaurants = true WHERE username = $1', [
        username,
      ]);
      expect(await read()).toBeGreaterThan(0);
    });

    test('62 days may be asked for, 63 may not', async () => {
      expect((await get(what, 'from=2025-10-01&to=2025-12-01')).status).toBe(200);
      const answer = await get(what, 'from=2025-10-01&to=2025-12-02');
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'too_many_days']);
      expect((await get(what, 'from=9999-12-31&to=9999-12-31')).status).toBe(200);
    });
  });
});
