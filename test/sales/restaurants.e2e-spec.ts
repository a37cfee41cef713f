import { addDays, BusinessCalendar } from '../../src/config/business-calendar.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { without } from '../ledger/ledger-model.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('Restaurants', () => {
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
      await service.database.query('UPDATE users SET all_restaurants = true WHERE username = $1', [
        username,
      ]);
      expect((await list(token)).body.restaurants).toHaveLength(3);
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

    const upload = (date: string) =>
      service.client.upload(token, [record({ restaurant_id: id, date })]);
    const statuses = async (...dates: string[]) => {
      const answers = [];
      for (const date of dates) answers.push((await upload(date)).status);
      return answers;
    };
    /** The business day so many days from now, in Singapore. */
    const today = (days = 0) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Singapore' }).format(
        Date.now() + days * 86_400_000,
      );

    test('is renamed: uploads and lists name it newly', async () => {
      await restaurants.rename(id, 'Harbour Grill');
      expect((await upload('2025-10-15')).body.message).toContain(
        `restaurant ${id} (Harbour Grill)`,
      );
      const listed = await service.client.get('/api/v1/restaurants', { token });
      expect(listed.body.restaurants).toEqual([{ restaurant_id: id, name: 'Harbour Grill' }]);
    });

    test('closes: from that day on uploads are 400 with the reason, days before are taken', async () => {
      await restaurants.close(id, '2025-10-15');
      expect(await statuses('2025-10-14', '2025-10-15', '2099-01-01')).toEqual([200, 400, 400]);
      const answer = await upload('2025-10-16');
      expect(answer.body.error).toMatch(new RegExp(`restaurant ${id} .* is closed on 2025-10-16`));
      expect(answer.headers.get('X-Error-Code')).toBe('restaurant_closed');
      const sql = 'SELECT date::text FROM hourly_sales WHERE restaurant_id = $1';
      expect(await service.database.query(sql, [id])).toEqual([{ date: '2025-10-14' }]);
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
      expect(await statuses('2025-10-09', '2025-10-10', '2025-10-11', '2025-10-12')).toEqual([
        200, 400, 400, 200,
      ]);
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
      await expect(restaurants.rename(id, '')).rejects.toThrow(
        'a restaurant name has 1 to 200 characters',
      );
    });
  });
});

describe('POST /api/v1/sales/upload-daily?dry_run=true', () => {
  const PATH = '/api/v1/sales/upload-daily';

  /** Payments that add up to `gto`. */
  const paid = {
    ...{ gto: 100.1, gst: 9, svc: 10, cash: 100.1 },
    ...{ nets: 0, visa: 0, master: 0, amex: 0, voucher: 0, other: 0 },
  };

  let service: TestApp;
  beforeAll(async () => (service = await createTestApp({ UPLOAD_MAX_FUTURE_DAYS: '1' })));
  afterAll(() => service.close());

  let id = 100;
  let token: string;
  beforeEach(async () => ({ token } = await givenTill(service, { restaurants: [++id] })));

  const send = (query: string, body: unknown, sender = token): Promise<any> =>
    service.client.post(PATH + query, body, { token: sender });
  const preview = (...records: Record<string, unknown>[]): Promise<any> =>
    send('?dry_run=true', { records });
  const figures = (hour: Record<string, unknown>) => without(hour, 'restaurant_id', 'date', 'hour');

  test('200: it says what would be saved and changed, and saves nothing', async () => {
    const stored = record({ ...paid, restaurant_id: id, hour: 9 });
    await service.client.upload(token, [stored, record({ ...paid, restaurant_id: id, hour: 10 })]);
    const rows = async () =>
      JSON.stringify([
        await service.database.query('SELECT * FROM hourly_sales ORDER BY 1, 2, 3'),
        await service.database.query('SELECT * FROM sales_days ORDER BY 1, 2'),
        await service.database.query('SELECT * FROM uploads ORDER BY 1, 2, 3'),
      ]);
    const before = await rows();
    const added = record({ ...paid, restaurant_id: id, hour: 11 });
    const changed = { ...stored, pax: 7 };
    const answer = await preview(added, changed, record({ ...paid, restaurant_id: id, hour: 10 }));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      processed: 3,
      message: `3 hourly records would be saved for restaurant ${id} (Restaurant ${id}) on 2025-10-15`,
      changes: [
        { hour: 9, before: figures(stored), after: figures(changed) },
        { hour: 11, before: null, after: figures(added) },
      ],
      warnings: [],
    });
    expect(await rows()).toBe(before);
  });

  test('amounts before and after have the digits that are stored and would be', async () => {
    await send(
      '',
      JSON.stringify({ records: [record({ restaurant_id: id, gto: 0 })] }).replace(
        '"gto":0',
        '"gto":1e-7',
      ),
    );
    const { changes } = (await preview(record({ restaurant_id: id, gto: 99999999999.9999 }))).body;
    expect(changes).toMatchObject([{ before: { gto: 1e-7 }, after: { gto: 99999999999.9999 } }]);
  });

  test('what it announces is what the upload then changes', async () => {
    await service.client.upload(token, day({ restaurant_id: id }).slice(5));
    const records = day({ restaurant_id: id, pax: 1 }).slice(0, 8);
    const { changes } = (await preview(...records)).body;
    expect(changes).toHaveLength(8);
    await service.client.upload(token, records);
    const path = `/api/v1/sales/uploads?restaurant_id=${id}&date=2025-10-15&limit=1`;
    expect((await service.client.get(path, { token })).body.uploads[0].changes).toEqual(changes);
    expect((await preview(...records)).body.changes).toEqual([]);
  });

  test.each([
    ['payments that add up to gto, in decimals', { ...paid, gto: 0.3, cash: 0.1, nets: 0.2 }, []],
    ['payments that add up to gto + gst + svc', { ...paid, cash: 119.1 }, []],
    ['payments of neither', { ...paid, cash: 100 }, ['payments_differ']],
    [
      'orders without turnover',
      { ...paid, gto: 0, gst: 0, svc: 0, cash: 0, orders: 1 },
      ['orders_without_turnover'],
    ],
    ['both', { ...paid, gto: 0, orders: 1 }, ['orders_without_turnover', 'payments_differ']],
    ['an hour of zeros', { ...paid, gto: 0, gst: 0, svc: 0, cash: 0, orders: 0, pax: 0 }, []],
  ])('warnings: %s', async (_what, changes, codes) => {
    const records = [
      record({ ...paid, restaurant_id: id, hour: 3 }),
      record({ ...changes, restaurant_id: id }),
    ];
    const { warnings } = (await preview(...records)).body;
    expect(warnings.map(({ hour, code }: any) => [hour, code])).toEqual(
      codes.map((code) => [12, code]),
    );
    expect((await service.client.upload(token, records)).status).toBe(200);
  });

  test('a warning says the sums', async () => {
    const { warnings } = (await preview(record({ ...paid, restaurant_id: id, cash: 100 }))).body;
    expect(warnings[0].message).toBe(
      'hour 12: the payments are 100.00 in all, but gto is 100.10, and 119.10 with gst and svc',
    );
  });

  test('a sum has two decimals, and more where they make the difference', async () => {
    const sums = { gto: 100.125, cash: 50.125, nets: 49.875, voucher: 1853, gst: 0, svc: 0 };
    const { warnings } = (await preview(record({ ...paid, ...sums, restaurant_id: id }))).body;
    expect(warnings[0].message).toMatch(
      /the payments are 1953\.00 in all, but gto is 100\.125, and 100\.125 with/,
    );
  });

  test('false and no dry_run save; the response has no changes', async () => {
    for (const query of ['', '?dry_run=false', '?other=1']) {
      const answer = await send(query, { records: [record({ restaurant_id: id })] });
      expect(Object.keys(answer.body)).toEqual(['success', 'processed', 'message']);
      expect(answer.body.message).toContain('1 hourly record saved for');
    }
    const path = `/api/v1/sales/uploads?restaurant_id=${id}&date=2025-10-15`;
    expect((await service.client.get(path, { token })).body.uploads).toHaveLength(3);
  });

  test('dry_run is a boolean of generated clients too, or 400 and nothing is saved', async () => {
    const records = [record({ restaurant_id: id })];
    expect((await send('?dry_run=True', { records })).body.message).toContain('would be saved');
    for (const query of ['?dry_run=', '?dry_run=2', '?dry_run=true&dry_run=true'])
      expectError(
        await send(query, { records }),
        400,
        /"dry_run must be true or false, given once/,
      );
    const path = `/api/v1/sales/daily?restaurant_id=${id}&date=2025-10-15`;
    expect((await service.client.get(path, { token })).body.records).toEqual([]);
  });

  test('an upload and its dry run may be as many days ahead as UPLOAD_MAX_FUTURE_DAYS, not more', async () => {
    const today = jest.spyOn(service.app.get(BusinessCalendar), 'today');
    today.mockReturnValue('2025-10-15');
    for (const query of ['', '?dry_run=true']) {
      const statusOf = async (date: string): Promise<number> =>
        (await send(query, { records: [record({ restaurant_id: id, date })] })).status;
      expect([await statusOf('2025-10-16'), await statusOf('2025-10-17')]).toEqual([200, 400]);
    }
    today.mockRestore();
  });

  test('every rejection is that of an upload', async () => {
    await givenRestaurant(service, 90);
    await service.app.get(RestaurantsService).close(id, '2025-11-01');
    const revoked = (await givenTill(service, { restaurants: [id] })).token;
    await service.client.post('/api/v1/auth/revoke', {}, { token: revoked });
    const hour = record({ restaurant_id: id });
    const cases: [number, unknown, string?][] = [
      [401, { records: [hour] }, revoked],
      [413, { records: Array.from({ length: 25 }, () => hour) }],
      [400, '{"records": ['],
      [400, { records: [] }],
      [400, { records: [hour, hour] }],
      [400, { records: [{ ...hour, date: '9999-12-31' }] }],
      [400, { records: [{ ...hour, date: '2025-11-01' }] }],
      [403, { records: [{ ...hour, restaurant_id: 90 }] }],
      [403, { records: [{ ...hour, restaurant_id: 999_999 }] }],
    ];
    for (const [status, body, sender] of cases) {
      const upload = await send('', body, sender);
      const dryRun = await send('?dry_run=true', body, sender);
      expectError(dryRun, status);
      expect([dryRun.status, dryRun.text]).toEqual([upload.status, upload.text]);
    }
    expect((await service.client.post(`${PATH}?dry_run=true`, { records: [hour] })).status).toBe(
      401,
    );
  });
});
