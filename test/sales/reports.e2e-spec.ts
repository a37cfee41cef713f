import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { addDays, BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { ClosuresService } from '../../src/restaurants/closures/closures.service.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { DaysService } from '../../src/sales/reports/days.service.js';
import { REPORT_LIMITS } from '../../src/sales/reports/report-limits.js';
import { SalesDay } from '../../src/sales/sales.entity.js';
import { UsersService } from '../../src/users/users.service.js';
import type { Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, FIGURES, record, without } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const ZEROS = Object.fromEntries(FIGURES.map((name) => [name, 0]));
const DATE = '2025-10-15';
const ONE_DAY = `from=${DATE}&to=${DATE}`;

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

const get = (path: string, token: string): Promise<Answer> =>
  service.client.get(`/api/v1/sales/${path}`, { token });

describe('Reports', () => {
  /** Each test has three restaurants of its own, and their till. */
  let id = 100;
  let token: string;
  beforeEach(async () => {
    id += 3;
    ({ token } = await givenTill(service, { restaurants: [id + 2, id, id + 1] }));
  });

  /** Uploads hours of the test's first restaurant, unless they say of which. */
  const upload = (...hours: Record<string, unknown>[]): Promise<Answer> =>
    service.client.upload(
      token,
      hours.map((each) => record({ restaurant_id: id, ...each })),
    );
  const read = async (path: string): Promise<any> => {
    const answer = await get(path, token);
    expect(answer.status).toBe(200);
    return answer.body;
  };

  describe('GET /api/v1/sales/daily', () => {
    const path = (): string => `daily?restaurant_id=${id}&date=${DATE}`;

    test('the records come back as they were sent, by hour, their fields in order', async () => {
      const sent = day({ restaurant_id: id });
      await upload(...[...sent].reverse());
      const { records, last_uploaded_at, ...others } = await read(path());
      expect(JSON.stringify(records)).toBe(JSON.stringify(sent));
      expect(others).toMatchObject({ restaurant_id: id, date: DATE, missing_hours: [] });
      expect(last_uploaded_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Math.abs(Date.parse(last_uploaded_at) - Date.now())).toBeLessThan(60_000);
    });

    test('says that hours that were not sent are missing, and an hour of zeros is not', async () => {
      const nothing = {
        version: 0,
        records: [],
        missing_hours: HOURS,
        totals: ZEROS,
        last_uploaded_at: null,
      };
      const expected = { first_day: '0001-01-01', closed: null, expected_hours: HOURS };
      expect(await read(path())).toEqual({
        restaurant_id: id,
        date: DATE,
        ...expected,
        ...nothing,
      });
      await upload({ hour: 20 }, { hour: 3, ...ZEROS });
      const { missing_hours, records } = await read(path());
      expect(missing_hours).toEqual(HOURS.filter((hour) => hour !== 3 && hour !== 20));
      expect(records.map(({ hour }: any) => hour)).toEqual([3, 20]);
    });

    test('amounts come back digit for digit; totals are decimals without more zeros', async () => {
      const amounts = '0.1 0.2 99999999999.9999 0.0000001 123456789.123456 10.50 1e-7 7.0'.split(
        ' ',
      );
      const sent = amounts.map((gto, hour) =>
        JSON.stringify(record({ restaurant_id: id, hour, gto: '%' })).replace('"%"', gto),
      );
      const body = `{"records":[${sent.join()}]}`;
      await service.client.post('/api/v1/sales/upload-daily', body, { token });
      const { text } = await get(path(), token);
      const total = '100123456806.9233562'; // JavaScript adds them up to 100123456806.92336
      expect([...text.matchAll(/"gto":([^,]*)/g)].map((match) => match[1])).toEqual([
        '0.1', '0.2', '99999999999.9999', '0.0000001',
        '123456789.123456', '10.5', '0.0000001', '7', total,
      ]); // prettier-ignore
      expect(text).toContain(`"gto":${total},"gst":900.4,"svc":1000.4,`);
    });
  });

  describe('GET /api/v1/sales/uploads', () => {
    const path = (): string => `uploads?restaurant_id=${id}&date=${DATE}`;

    test('has no uploads of a day without any, and the time of each upload', async () => {
      const listed = { restaurant_id: id, date: DATE, next: null };
      expect(await read(path())).toEqual({ ...listed, uploads: [] });
      await upload({});
      const { last_uploaded_at: uploaded_at } = await read(path().replace('uploads', 'daily'));
      expect(await read(path())).toMatchObject({ ...listed, uploads: [{ uploaded_at }] });
    });

    test('reads a fixed number of rows for a page of a day of very many uploads', async () => {
      await upload({ hour: 5 });
      // 12,000 uploads that each change hour 9, then one that changes hour 5 again
      await service.database.query(
        `INSERT INTO uploads
         SELECT restaurant_id, date, number + n, user_id, client_address, uploaded_at, processed,
           1 << 9, replace(records::text, '"hour":[5]', '"hour":[9]')::json
         FROM uploads, generate_series(1, 12000) AS n WHERE restaurant_id = $1`,
        [id],
      );
      const count = 'UPDATE sales_days SET uploads = 12001 WHERE restaurant_id = $1';
      await service.database.query(count, [id]);
      await service.database.query('ANALYZE uploads');
      await upload({ hour: 5, gto: 1 });
      const counted = `SELECT seq_tup_read + idx_tup_fetch AS rows
        FROM pg_stat_xact_user_tables WHERE relname = 'uploads'`;
      const { app } = service;
      const find = 'SELECT user_id AS "userId" FROM restaurant_grants WHERE restaurant_id = $1';
      const [grant] = await service.database.query<{ userId: number }>(find, [id]);
      const [seen] = await app.get(DataSource).transaction(async (manager) => {
        const days = manager.getRepository(SalesDay);
        const restaurants = app.get(RestaurantsService);
        const users = app.get(UsersService);
        const reader = new DaysService(days, restaurants, users, app.get(BusinessCalendar));
        await reader.readUploads(grant!.userId, { restaurantId: id, date: DATE }, { limit: 100 });
        return manager.query(counted);
      });
      expect(Number(seen!['rows'])).toBeLessThan(6000);
      const { uploads, next } = await read(path());
      expect([uploads.length, next]).toEqual([50, 11_953]);
      expect(uploads[0].changes).toMatchObject([{ hour: 5, before: null, after: { gto: 1 } }]);
      const before = without(record(), 'restaurant_id', 'date', 'hour');
      expect(uploads[1].changes).toMatchObject([{ hour: 9, before }]);
    });
  });

  describe('GET /api/v1/restaurants', () => {
    test('finds some by number, words or a text, with how many there are, page by page', async () => {
      const names = ['Café Zürich-Nord', 'Harbour Grill 12', '100% Tofu_Bar'];
      for (const [at, name] of names.entries()) {
        const rename = 'UPDATE restaurants SET name = $2 WHERE id = $1';
        await service.database.query(rename, [id + at, name]);
      }
      const find = (query: string): Promise<any> =>
        service.client.get(`/api/v1/restaurants?${query}`, { token }).then(({ body }) => body);
      const found = async (search: string): Promise<number[]> => {
        const { restaurants, count, next } = await find(`search=${encodeURIComponent(search)}`);
        expect([count, next]).toEqual([3, null]);
        return restaurants.map(({ restaurant_id }: any) => restaurant_id - id);
      };
      const searches: [text: string, found: number[]][] = [
        ['cafe', [0]], ['ZURICH', [0]], ['nord', [0]], ['grill  harb', [1]], ['arb', [1]], ['rbour g', [1]],
        ['grill arb', []], ['100%', [2]], ['%', [2]], ['_', [2]], ['tofu_', [2]], ["'\\", []], [' ', [0, 1, 2]],
        [String(id + 1), [1]], [`${id + 1} grill`, [1]], [`${id} grill`, []], ['12', [1]],
      ]; // prettier-ignore
      for (const [text, expected] of searches)
        expect({ text, found: await found(text) }).toEqual({ text, found: expected });
      const first = await find('limit=2');
      expect([first.restaurants.length, first.count, first.next]).toEqual([2, 3, id + 1]);
      const last = await find(`limit=2&after=${first.next}`);
      expect([last.restaurants.length, last.count, last.next]).toEqual([1, 3, null]);
      const large = await service.client.get('/api/v1/restaurants?limit=1001', { token });
      expectError(large, 400, /limit must be an integer from 1 to 1000/);
    });
  });

  describe('GET /api/v1/sales/missing', () => {
    test('calls a day without hours missing, and one with some partial, with the hours', async () => {
      await upload(...day({ restaurant_id: id }));
      await upload({ restaurant_id: id + 1, hour: 23 });
      const listed = (restaurant_id: number, status: string, missing_hours: number[]) => {
        const name = `Restaurant ${restaurant_id}`;
        const past = { first_day: '0001-01-01', since: '2025-07-15', missing_days: 93 };
        const last_sent = status === 'partial' ? DATE : null;
        const of = { restaurant_id, name, date: DATE, status, expected_hours: 24, missing_hours };
        return { ...of, ...past, last_sent };
      };
      expect(await read(`missing?${ONE_DAY}`)).toEqual({
        ...{ from: DATE, to: DATE, expected_restaurants: 3, next: null },
        missing: [listed(id + 1, 'partial', HOURS.slice(0, 23)), listed(id + 2, 'missing', HOURS)],
      });
    });

    test('says since when days are incomplete in a row, without days of which nothing is expected', async () => {
      await service.database.query(
        `UPDATE restaurants SET first_day = '2025-10-03', weekly_hours[6:7] = '{0,0}' WHERE id = $1`,
        [id],
      );
      await upload(...day({ restaurant_id: id, date: '2025-10-09' })); // a Thursday
      await upload({ date: '2025-10-14' });
      const range = `from=2025-10-06&to=2025-10-15&restaurant_id=${id}`;
      const { missing, expected_restaurants } = await read(`missing?${range}`);
      expect(expected_restaurants).toBe(1);
      const rows = missing.map((of: any) => [of.date.slice(8), of.since.slice(8), of.missing_days]);
      expect(rows).toEqual([
        ['06', '03', 2], ['07', '03', 3], ['08', '03', 4], ['10', '10', 1],
        ['13', '10', 2], ['14', '10', 3], ['15', '10', 4],
      ]); // prettier-ignore
      const weekend = `missing?from=2025-10-11&to=2025-10-12&restaurant_id=${id}`;
      expect(await read(weekend)).toMatchObject({ expected_restaurants: 0, missing: [] });
      const restore = `UPDATE restaurants
        SET first_day = '0001-01-01', weekly_hours[6:7] = weekly_hours[1:2] WHERE id = $1`;
      await service.database.query(restore, [id]);
    });

    test('has both ends of the range, by restaurant and then by date', async () => {
      const dates = ['2024-02-28', '2024-02-29', '2024-03-01'];
      for (const [at, date] of dates.entries())
        await upload(...day({ restaurant_id: id + at, date }));
      const { missing } = await read(`missing?from=${dates[0]}&to=${dates[2]}`);
      expect(missing.map((each: any) => `${each.restaurant_id - id} ${each.date}`)).toEqual([
        '0 2024-02-29', '0 2024-03-01', '1 2024-02-28',
        '1 2024-03-01', '2 2024-02-28', '2 2024-02-29',
      ]); // prettier-ignore
    });
  });

  describe('GET /api/v1/sales/calendar', () => {
    test('has a row per restaurant by id, and a letter per day: complete, partial, missing', async () => {
      const complete = (date: string, changes = {}): Promise<Answer> =>
        upload(...day({ restaurant_id: id, date, ...changes }));
      await complete('2025-10-14');
      await complete('2025-10-15', { ...ZEROS, orders: 3 });
      await upload({ date: '2025-10-16' });
      await complete('2025-10-17', { restaurant_id: id + 2, gto: 0 });
      const sent = [['2025-10-16', 24, 0, 0, 23, 24], [null, 24, 24, 24, 24, 24], ['2025-10-17', 24, 24, 24, 24, 0]]; // prettier-ignore
      const rows = ['MCCPM', 'MMMMM', 'MMMMC'].map((days, at) => ({
        ...{ restaurant_id: id + at, name: `Restaurant ${id + at}`, days, first_day: '0001-01-01' },
        ...{
          last_sent: sent[at]![0],
          expected_hours: Array(5).fill(24),
          missing_hours: sent[at]!.slice(1),
        },
      }));
      expect(await read('calendar?from=2025-10-13&to=2025-10-17')).toEqual({
        ...{ from: '2025-10-13', to: '2025-10-17', next: null, restaurants: rows },
        ...{ today: service.app.get(BusinessCalendar).today(), time_zone: 'UTC' },
      });
      const some = await read(`calendar?${ONE_DAY}&restaurant_id=${id + 2},${id}`);
      expect(some.restaurants.map((each: any) => each.restaurant_id)).toEqual([id, id + 2]);
    });

    test('does not call today and the days after it missing, and shows complete ones', async () => {
      const today = '2025-12-31';
      const calendar = jest.spyOn(service.app.get(BusinessCalendar), 'today');
      calendar.mockReturnValue(today);
      await upload({ date: today });
      await upload({ date: addDays(today, 1) });
      await upload(...day({ restaurant_id: id, date: addDays(today, 2) }));
      const range = `from=${addDays(today, -1)}&to=${addDays(today, 3)}`;
      const { body } = await get(`calendar?${range}&restaurant_id=${id}`, token);
      calendar.mockRestore();
      expect([body.today, body.restaurants[0].days]).toEqual([today, 'MTFCF']);
    });

    test('calls closed days complete with hours and marks them without, and never missing', async () => {
      const closures = service.app.get(ClosuresService);
      const close = (firstDay: string, lastDay: string | null) =>
        closures.close([id], { firstDay, lastDay, reason: null });
      await upload({ date: '2025-10-03' });
      await close('2025-10-03', '2025-10-04');
      await close('2025-10-06', null);
      const query = `from=2025-10-01&to=2025-10-08&restaurant_id=${id}`;
      expect((await read(`calendar?${query}`)).restaurants[0].days).toBe('MMCXMXXX');
      const { missing } = await read(`missing?${query}`);
      expect(missing.map(({ date }: any) => date.slice(-2))).toEqual(['01', '02', '05']);
    });
  });

  test('missing days are found behind ten thousand days on which other restaurants are closed', async () => {
    const ids = 'generate_series(900001, 900120) AS id';
    const { username, token: other } = await givenTill(service, { restaurants: [900_121] });
    const query = (sql: string) => service.database.query(sql);
    await query(
      `WITH added AS (
         INSERT INTO restaurants (id, name, first_day)
         SELECT id, 'X', '0001-01-01' FROM ${ids} RETURNING id)
       INSERT INTO restaurant_closures (restaurant_id, first_day) SELECT id, '2025-01-01' FROM added`,
    );
    await query(`INSERT INTO restaurant_grants (user_id, restaurant_id)
      SELECT users.id, ids.id FROM users, (SELECT id FROM ${ids}) AS ids
      WHERE username = '${username}'`);
    const { body } = await get('missing?from=2025-07-01&to=2025-09-30', other);
    const found = new Set(body.missing.map((each: any) => each.restaurant_id));
    expect([body.missing.length, found, body.next]).toEqual([92, new Set([900_121]), null]);
  });

  test('GET /api/v1/sales/totals has exact decimals by day, or by restaurant', async () => {
    const range = 'totals?from=2025-10-14&to=2025-10-16';
    await upload(
      { hour: 9, gto: 0.1, orders: 2147483647 },
      { hour: 10, gto: 99999999999.9999, orders: 2147483647 },
    );
    const other = record({ restaurant_id: id + 2, gto: 0.2, pax: 1 });
    await upload(other);
    await upload({ restaurant_id: id + 2, date: '2025-10-17' });
    const figures = without(other, 'restaurant_id', 'date', 'hour');
    const counts = (hours: number, expected_hours: number, missing_hours: number) => {
      return { hours, expected_hours, missing_hours };
    };
    const days = (count: number, ...sums: [restaurants: number, hours: number, unknown][]) =>
      sums.map(([restaurants, hours, totals], at) => {
        const expected = count * 24;
        const head = { date: `2025-10-${14 + at}`, restaurants };
        return { ...head, ...counts(hours, expected, expected - hours), totals };
      });

    const { body, text } = await get(range, token);
    const sum = { ...body.days[1].totals, pax: 96 + 96 + 1 };
    expect(body).toEqual({
      ...{ from: '2025-10-14', to: '2025-10-16' },
      days: days(3, [0, 0, ZEROS], [2, 3, sum], [0, 0, ZEROS]),
    });
    expect(Object.keys(sum)).toEqual(FIGURES);
    expect(text).toContain('"totals":{"orders":4294967336,"gto":100000000000.2999,"gst":337.65,');
    const one = (await read(`${range}&restaurant_id=${id + 2}`)).days;
    expect(one).toEqual(days(1, [0, 0, ZEROS], [1, 1, figures], [0, 0, ZEROS]));

    const grouped = await get(`${range}&group_by=restaurant`, token);
    const { totals } = grouped.body.restaurants[0];
    const sums = [
      { days: 1, hours: 2, last_sent: DATE, totals },
      { days: 0, hours: 0, last_sent: null, totals: ZEROS },
      { days: 1, hours: 1, last_sent: '2025-10-17', totals: figures },
    ];
    const lines = sums.map(({ days, hours, last_sent, totals }, at) => ({
      ...{ restaurant_id: id + at, name: `Restaurant ${id + at}`, days, last_sent },
      ...{ ...counts(hours, 72, 72 - hours), totals },
    }));
    expect(grouped.body).toEqual({ from: '2025-10-14', to: '2025-10-16', restaurants: lines });
    expect(grouped.text).toContain('{"orders":4294967294,"gto":100000000000.0999,"gst":225.1,');
    const some = await read(`${range}&group_by=restaurant&restaurant_id=${id + 1}`);
    expect(some.restaurants).toEqual([lines[1]]);
  });

  test.each([
    ['restaurants', 'restaurants?'],
    ['missing', 'sales/missing?'],
    ['restaurants', 'sales/calendar?'],
    ['restaurants', 'sales/totals?group_by=restaurant&'],
  ])(
    'the %s of %s are those of the granted restaurants by number: some, none or all',
    async (list, path) => {
      const { username, token: other } = await givenTill(service, { restaurants: [] });
      const ids = async (of: string): Promise<number[]> => {
        const whole = `/api/v1/${path}from=2020-01-15&to=2020-01-15`; // nobody uploads for this day
        const { body } = await service.client.get(whole, { token: of });
        return body[list].map((each: any) => each.restaurant_id);
      };
      expect([await ids(token), await ids(other)]).toEqual([[id, id + 1, id + 2], []]);
      const grant = 'UPDATE users SET all_restaurants = true WHERE username = $1';
      await service.database.query(grant, [username]);
      const all = await service.database.query('SELECT id FROM restaurants ORDER BY id');
      expect(await ids(other)).toEqual(all.map((each) => each['id']));
    },
  );

  test.each<[list: string, sizes: number[], path: () => string]>([
    ['uploads', [2, 2, 1], () => `uploads?restaurant_id=${id}&date=${DATE}`],
    ['missing', [4, 4, 1], () => 'missing?from=2025-10-14&to=2025-10-16'],
    ['restaurants', [2, 1], () => `calendar?${ONE_DAY}`],
  ])(
    'the pages of %s lead by limit and after through all, each once',
    async (list, sizes, path) => {
      for (let gto = 1; gto <= 5; gto++) await upload({ gto });
      const limit = sizes.reduce((sum, size) => sum + size);
      const { [list]: whole, next: none } = await read(`${path()}&limit=${limit}`);
      const pages: any[][] = [];
      for (let after = ''; ;) {
        const { [list]: page, next } = await read(`${path()}&limit=${sizes[0]}${after}`);
        pages.push(page);
        if (next === null) break;
        after = `&after=${next}`;
      }
      expect([none, pages.map((page) => page.length)]).toEqual([null, sizes]);
      expect(pages.flat()).toEqual(whole);
    },
  );

  test.each([
    ['missing', 92],
    ['calendar', 62],
    ['totals', 400],
  ])('%s of %i days may be asked for, of one more not', async (what, days) => {
    const path = (count: number): string =>
      `${what}?from=2025-10-01&to=${addDays('2025-10-01', count - 1)}`;
    await read(path(days));
    expectTooManyDays(await get(path(days + 1), token), days);
    for (const date of ['0001-01-01', '9999-12-31']) await read(`${what}?from=${date}&to=${date}`);
  });

  test('the guide names the limits', () => {
    const guide = readFileSync(join(__dirname, '../../docs/reference.md'), 'utf8');
    const rows = Object.entries({
      '`calendar`': REPORT_LIMITS.calendar,
      '`missing`': REPORT_LIMITS.missing,
      '`totals` by date, week, month or restaurant': REPORT_LIMITS.totals,
      '`totals` by hour, or by weekday and hour': REPORT_LIMITS.hourlyTotals,
      '`changes`': REPORT_LIMITS.changes,
    }).map(([report, { days, restaurantDays }]) => {
      const product = restaurantDays === Infinity ? '' : `${restaurantDays.toLocaleString('en')} `;
      return `| ${report} | ${days} | ${product}|`;
    });
    expect(guide).toContain(rows.join('\n'));
  });

  test('of many restaurants fewer days may be asked for: totals 400,000 in all, by hour 40,000, missing days 100,000', async () => {
    const { username, token: many } = await givenTill(service, { restaurants: [] });
    await service.database.query(
      `WITH added AS (
         INSERT INTO restaurants (id, name, first_day)
         SELECT n, 'one of many', '2025-01-01' FROM generate_series(1000001, 1002000) AS n RETURNING id)
       INSERT INTO restaurant_grants (user_id, restaurant_id)
       SELECT users.id, added.id FROM users, added WHERE username = $1`,
      [username],
    );
    const statusOf = async (path: string): Promise<number> => (await get(path, many)).status;
    for (const [what, days] of [
      ['totals?', 200], ['totals?group_by=restaurant&', 200], ['totals?group_by=hour&', 20],
      ['totals?group_by=weekday_hour&', 20], ['missing?', 50],
    ] as const) {
      const path = (count: number): string =>
        `${what}from=2025-10-01&to=${addDays('2025-10-01', count - 1)}`;
      expect(await statusOf(path(days))).toBe(200);
      expectTooManyDays(await get(path(days + 1), many), days);
      expect(await statusOf(`${path(62)}&restaurant_id=1000001`)).toBe(200);
    } // prettier-ignore
    expect(await statusOf('calendar?from=2025-10-01&to=2025-12-01&limit=1')).toBe(200);
  });

  function expectTooManyDays(answer: Answer, most: number): void {
    expectError(answer, 400);
    expect([answer.headers.get('X-Error-Code'), answer.body.error]).toEqual([
      'too_many_days',
      `from and to must span at most ${most} days: ask for a shorter range`,
    ]);
  }
});

describe('Every read', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await givenTill(service));
    await givenRestaurant(service, 90);
  });

  test.each([
    `daily?date=${DATE}&restaurant_id=`,
    `uploads?date=${DATE}&restaurant_id=`,
    `missing?${ONE_DAY}&restaurant_id=`,
    `calendar?${ONE_DAY}&restaurant_id=`,
    `calendar?${ONE_DAY}&restaurant_id=101,`,
    `totals?${ONE_DAY}&restaurant_id=`,
    `totals?${ONE_DAY}&restaurant_id=101,`,
  ])(
    'is 403 with the text of an upload: %s of an unknown restaurant or one not granted',
    async (path) => {
      const upload = await service.client.upload(token, [record({ restaurant_id: 90 })]);
      const [foreign, unknown] = [await get(`${path}90`, token), await get(`${path}91`, token)];
      expectError(foreign, 403);
      expect(foreign.text).toBe(upload.text);
      expect([unknown.status, unknown.text.replace('91', '90')]).toEqual([403, upload.text]);
    },
  );

  const NO_DAY = 'must be a day that exists, in the form YYYY-MM-DD';
  const NO_ID = 'restaurant_id must be an integer from 1 to 2147483647';
  const NO_LIST = 'restaurant_id must be 1 to 100 identifiers with commas between';
  const NO_LIMIT = 'limit must be an integer from 1 to 1000';
  const NO_NUMBER = 'after must be an integer from 1 to 2147483647';
  const NO_GROUPING =
    'group_by must be date, week, month, restaurant, hour, weekday_hour, or some of them with commas between';
  const NO_PAGE = 'after must be the `next` of the previous page';

  test.each<[path: string, faults: string[]]>([
    ['daily?date=2025-02-30', ['restaurant_id is missing', `date ${NO_DAY}`]],
    [
      'uploads?restaurant_id=2147483648&limit=101&after=2147483648',
      [NO_ID, 'date is missing', NO_LIMIT.replace('1000', '100'), NO_NUMBER],
    ],
    [
      'missing?from=2025-13-01&restaurant_id=&limit=1001&after=101',
      [`from ${NO_DAY}`, 'to is missing', NO_LIST, NO_LIMIT, NO_PAGE],
    ],
    [`missing?${ONE_DAY}&after=101-2025-02-30`, [NO_PAGE]],
    [
      'calendar?to=2025-02-30&restaurant_id=&limit=1001&after=0',
      ['from is missing', `to ${NO_DAY}`, NO_LIST, NO_LIMIT, NO_NUMBER],
    ],
    [`calendar?${ONE_DAY}&restaurant_id=2147483648`, [NO_LIST]],
    [
      `calendar?${ONE_DAY}&from=x&to=x&to=y&restaurant_id=1&restaurant_id=2&limit=1&limit=1`,
      ['from', 'to', 'restaurant_id', 'limit'].map((name) => `${name} must be given once`),
    ],
    [
      `totals?From=2025-10-15&to=2025-10-15&group-by=hour`,
      ['From is not known: it is from', 'group-by is not known: it is group_by', 'from is missing'],
    ],
    [`calendar?${ONE_DAY}&restaurant_id=${'1,'.repeat(100)}1`, [NO_LIST]],
    [
      'totals?to=2025-02-30&restaurant_id=&group_by=year',
      ['from is missing', `to ${NO_DAY}`, NO_LIST, NO_GROUPING],
    ],
    ...['missing', 'calendar', 'totals'].map((what): [string, string[]] => [
      `${what}?from=2025-10-15&to=2025-10-14`,
      ['to (2025-10-14) must not be before from (2025-10-15)'],
    ]),
  ])('400: %s', async (path, faults) => {
    const answer = await get(path, token);
    expectError(answer, 400);
    expect(answer.body.error.split('; ').sort()).toEqual(faults.sort());
  });
});
