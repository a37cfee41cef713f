import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { READ_UPLOADS } from '../../src/sales/reports/reports.statements.js';
import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { without } from '../ledger/ledger-model.js';
import { day, FIGURES, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

describe('GET /api/v1/sales/daily', () => {
  const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
  const ZEROS = Object.fromEntries(FIGURES.map((name) => [name, 0]));

  function pathOf(restaurantId: number): string {
    return `/api/v1/sales/daily?restaurant_id=${restaurantId}&date=2025-10-15`;
  }

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
    const amounts = [
      '0.1',
      '0.2',
      '99999999999.9999',
      '0.0000001',
      '123456789.123456',
      '10.50',
      '1e-7',
      '7.0',
    ];
    const sent = amounts.map((gto, hour) => {
      return JSON.stringify(record({ restaurant_id: id, hour, gto: 0 })).replace(
        '"gto":0',
        `"gto":${gto}`,
      );
    });
    await service.client.post('/api/v1/sales/upload-daily', `{"records":[${sent.join()}]}`, {
      token,
    });
    const { text } = await service.client.get(pathOf(id), { token });
    expect([...text.matchAll(/"gto":([^,]*)/g)].map((match) => match[1])).toEqual([
      '0.1', '0.2', '99999999999.9999', '0.0000001', '123456789.123456', '10.5', '0.0000001', '7',
      '100123456806.9233562', // JavaScript adds them up to 100123456806.92336
    ]); // prettier-ignore
  });

  test('a total has no more digits than it needs', async () => {
    const hours = [7, 8].map((hour) => record({ restaurant_id: id, hour, gto: 0.25, svc: 0.5 }));
    await service.client.upload(token, hours);
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
});

describe('GET /api/v1/sales/uploads', () => {
  const FIGURES = without(record(), 'restaurant_id', 'date', 'hour');

  interface Plan {
    readonly 'Relation Name'?: string;
    readonly 'Actual Rows': number;
    readonly 'Actual Loops': number;
    readonly 'Rows Removed by Filter'?: number;
    readonly Plans?: Plan[];
  }

  /** How many rows of the ledger were read. */
  function rowsRead(plan: Plan): number {
    const below = (plan.Plans ?? []).map(rowsRead).reduce((sum, rows) => sum + rows, 0);
    if (plan['Relation Name'] !== 'uploads') return below;
    return (
      below + (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    );
  }

  /** Each test has a restaurant of its own, and its till. */
  let id = 200;
  let till: { username: string; token: string };
  beforeEach(async () => (till = await givenTill(service, { restaurants: [++id] })));

  const get = (query = ''): Promise<any> => {
    const path = `/api/v1/sales/uploads?restaurant_id=${id}&date=2025-10-15${query}`;
    return service.client.get(path, { token: till.token });
  };
  const upload = (changes: Record<string, unknown>, token = till.token): Promise<any> =>
    service.client.upload(token, [record({ restaurant_id: id, ...changes })]);

  test('200: every upload, newest first, and for each hour that changed the values before and after', async () => {
    const colleague = await givenTill(service, { restaurants: [id] });
    await service.client.upload(till.token, day({ restaurant_id: id }));
    await service.client.upload(colleague.token, [
      record({ restaurant_id: id, hour: 9, gto: 99.9 }),
      ...day({ restaurant_id: id }).slice(10, 12),
    ]);
    const answer = await get();
    expect(answer.status).toBe(200);
    const [correction, first, ...others] = answer.body.uploads;
    expect(others).toEqual([]);
    expect(answer.body).toMatchObject({ restaurant_id: id, date: '2025-10-15', next: null });
    expect(correction).toEqual({
      id: `${id}-2025-10-15-2`,
      uploaded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      username: colleague.username,
      processed: 3,
      changes: [
        {
          hour: 9,
          before: { ...FIGURES, orders: 9, gto: 109.25 },
          after: { ...FIGURES, gto: 99.9 },
        }, // 10, 11 are the same
      ],
    });
    expect(first).toMatchObject({
      id: `${id}-2025-10-15-1`,
      username: till.username,
      processed: 24,
    });
    expect(first.changes).toHaveLength(24);
    expect(first.changes[5]).toEqual({
      hour: 5,
      before: null,
      after: { ...FIGURES, orders: 5, gto: 105.25 },
    });
  });

  test('200: nothing uploaded is no uploads', async () => {
    expect((await get()).body).toEqual({
      restaurant_id: id,
      date: '2025-10-15',
      uploads: [],
      next: null,
    });
  });

  test('an identical upload is listed, without changes', async () => {
    await upload({});
    await upload({});
    const { uploads } = (await get()).body;
    expect(uploads.map(({ changes }: any) => changes.length)).toEqual([0, 1]);
  });

  test('what an hour was before is what the latest upload that changed it wrote, not the latest upload', async () => {
    await upload({ gto: 1 });
    await upload({ hour: 13 });
    await upload({ gto: 1 });
    await upload({ gto: 2 });
    await upload({ gto: 1 });
    const changes = (await get()).body.uploads.map((each: any) =>
      each.changes.map(({ hour, before, after }: any) => [hour, before?.gto, after.gto]),
    );
    expect(changes).toEqual([
      [[12, 2, 1]],
      [[12, 1, 2]],
      [],
      [[13, undefined, 1250.5]],
      [[12, undefined, 1]],
    ]);
  });

  test('pages: limit and after walk through all uploads, each once', async () => {
    for (let gto = 1; gto <= 5; gto++) await upload({ gto });
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let after: number | null = 6; after !== null;) {
      const { uploads, next }: any = (await get(`&limit=2&after=${after}`)).body;
      sizes.push(uploads.length);
      seen.push(
        ...uploads.map(
          (each: any) => `${each.changes[0].before?.gto ?? ''}>${each.changes[0].after.gto}`,
        ),
      );
      after = next;
    }
    expect(seen).toEqual(['4>5', '3>4', '2>3', '1>2', '>1']);
    expect(sizes).toEqual([2, 2, 1]);
    expect((await get('&limit=5')).body.next).toBeNull();
    expect((await get('&after=1')).body).toMatchObject({ uploads: [], next: null });
  });

  test('a day of very many uploads: a page reads a fixed number of rows', async () => {
    await upload({ hour: 5 });
    // 12,000 uploads that each change hour 9, then one that changes hour 5 again
    await service.database.query(
      `INSERT INTO uploads
       SELECT restaurant_id, date, number + n, user_id, client_address, uploaded_at, processed, 1 << 9,
         replace(records::text, '"hour":[5]', '"hour":[9]')::json
       FROM uploads, generate_series(1, 12000) AS n WHERE restaurant_id = $1`,
      [id],
    );
    await service.database.query('UPDATE sales_days SET uploads = 12001 WHERE restaurant_id = $1', [
      id,
    ]);
    await service.database.query('ANALYZE uploads');
    await upload({ hour: 5, gto: 1 });
    const [explained] = await service.database.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${READ_UPLOADS.text
        .replaceAll('$1', `${id}`)
        .replaceAll('$2', "DATE '2025-10-15'")
        .replaceAll('$3', '2147483647')
        .replaceAll('$4', '100')}`,
    );
    expect(rowsRead(explained!['QUERY PLAN'][0]!.Plan)).toBeLessThan(6000);
    const { uploads, next } = (await get()).body;
    expect([uploads.length, next]).toEqual([50, 11_953]);
    expect(uploads[0].changes).toMatchObject([{ hour: 5, before: null, after: { gto: 1 } }]);
    expect(uploads[1].changes).toMatchObject([{ hour: 9, before: FIGURES }]);
  });
});

describe('GET /api/v1/sales/missing', () => {
  const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

  /** Each test has three restaurants of its own, and their till. */
  let id = 300;
  let token: string;
  beforeEach(async () => {
    id += 3;
    ({ token } = await givenTill(service, { restaurants: [id, id + 1, id + 2] }));
  });

  const get = (query: string): Promise<any> =>
    service.client.get(`/api/v1/sales/missing?${query}`, { token });
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

  test('both ends of the range belong to it; restaurants come by number, then dates', async () => {
    for (const [restaurant, date] of ['2024-02-28', '2024-02-29', '2024-03-01'].entries())
      await service.client.upload(token, day({ restaurant_id: id + restaurant, date }));
    expect(await listed('from=2024-02-28&to=2024-03-01')).toEqual([
      '0 2024-02-29 missing', '0 2024-03-01 missing',
      '1 2024-02-28 missing', '1 2024-03-01 missing',
      '2 2024-02-28 missing', '2 2024-02-29 missing',
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
    await service.database.query('UPDATE users SET all_restaurants = true WHERE username = $1', [
      username,
    ]);
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
    expect(
      (await get(`from=2025-10-01&to=2025-12-31&restaurant_id=${id}`)).body.missing,
    ).toHaveLength(92);
    const answer = await get('from=2025-10-01&to=2026-01-01');
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringMatching(/^from and to .*92/) });
    expect(
      (await get(`from=9999-12-31&to=9999-12-31&restaurant_id=${id}`)).body.missing,
    ).toHaveLength(1);
    expect(
      (await get(`from=0001-01-01&to=0001-01-01&restaurant_id=${id}`)).body.missing,
    ).toHaveLength(1);
  });
});

describe('Every read', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await givenTill(service));
    await givenRestaurant(service, 90);
  });
  const get = (path: string) => service.client.get(`/api/v1/sales/${path}`, { token });

  const RANGE = 'from=2025-10-14&to=2025-10-14';

  test.each([
    'daily?date=2025-10-15&restaurant_id=',
    'uploads?date=2025-10-15&restaurant_id=',
    `missing?${RANGE}&restaurant_id=`,
    `calendar?${RANGE}&restaurant_id=`,
    `calendar?${RANGE}&restaurant_id=101,`,
    `totals?${RANGE}&restaurant_id=`,
    `totals?${RANGE}&restaurant_id=101,`,
  ])(
    '403: %s of a restaurant that is unknown or not granted is what an upload gets',
    async (path) => {
      const upload = await service.client.upload(token, [record({ restaurant_id: 90 })]);
      const [foreign, unknown] = [await get(`${path}90`), await get(`${path}91`)];
      expectError(foreign, 403);
      expect(foreign.text).toBe(upload.text);
      expect([unknown.status, unknown.text.replace('91', '90')]).toEqual([403, upload.text]);
    },
  );

  const NO_DAY = 'must be a day that exists';
  const NO_INTEGER = 'restaurant_id must be an integer';
  const NO_LIST = 'restaurant_id must be 1 to 100 identifiers';
  const NO_PAGE = 'after must be the `next` of the previous page';
  const OVERVIEWS: [path: string, text: string][] = [
    ['from=2025-10-15&to=2025-10-14', 'to (2025-10-14) must not be before from'],
    ['to=2025-10-14', 'from is missing'],
    ['from=2025-10-14&to=2025-02-30', `to ${NO_DAY}`],
    [`${RANGE}&restaurant_id=`, NO_LIST],
    [`${RANGE}&restaurant_id=101,x`, NO_LIST],
    [`${RANGE}&restaurant_id=2147483648`, NO_LIST],
    [`${RANGE}&restaurant_id=1&restaurant_id=2`, NO_LIST],
    [`${RANGE}&restaurant_id=${'1,'.repeat(100)}1`, NO_LIST],
  ];

  test.each<[path: string, text: string]>([
    ['daily?date=2025-10-15', 'restaurant_id is missing'],
    ['daily?date=2025-10-15&restaurant_id=1e2', NO_INTEGER],
    ['daily?date=2025-10-15&restaurant_id=2147483648', NO_INTEGER],
    ['daily?date=2025-10-15&restaurant_id=101&restaurant_id=101', NO_INTEGER],
    ['daily?restaurant_id=101', 'date is missing'],
    ['daily?restaurant_id=101&date=2025-02-30', `date ${NO_DAY}`],
    ['daily?restaurant_id=101&date=', `date ${NO_DAY}`],
    ['daily?restaurant_id=101&date=2025-10-15&date=2025-10-15', `date ${NO_DAY}`],
    [
      'uploads?restaurant_id=101&date=2025-10-15&limit=101',
      'limit must be an integer from 1 to 100',
    ],
    ['uploads?restaurant_id=101&date=2025-10-15&limit=0', 'limit must be an integer from 1 to 100'],
    ['uploads?restaurant_id=101&date=2025-10-15&after=x', 'after must be an integer'],
    ['uploads?restaurant_id=101&date=2025-10-15&after=2147483648', 'after must be an integer'],
    ['missing?to=2025-10-15', 'from is missing'],
    ['missing?from=2025-10-15', 'to is missing'],
    ['missing?from=2025-13-01&to=2025-10-15', `from ${NO_DAY}`],
    [
      'missing?from=2025-10-15&to=2025-10-14',
      'to (2025-10-14) must not be before from (2025-10-15)',
    ],
    [`missing?${RANGE}&restaurant_id=`, NO_INTEGER],
    [`missing?${RANGE}&limit=1001`, 'limit must be an integer from 1 to 1000'],
    [`missing?${RANGE}&after=101`, NO_PAGE],
    [`missing?${RANGE}&after=101-2025-02-30`, NO_PAGE],
    [`missing?${RANGE}&after=2147483648-2025-10-15`, NO_PAGE],
    ...OVERVIEWS.map(([query, text]): [string, string] => [`calendar?${query}`, text]),
    ...OVERVIEWS.map(([query, text]): [string, string] => [`totals?${query}`, text]),
    [`totals?${RANGE}&group_by=hour`, 'group_by must'],
  ])('400: %s: %s', async (path, text) => {
    const answer = await get(path);
    expectError(answer, 400);
    expect(answer.body.error).toContain(text);
  });
});
