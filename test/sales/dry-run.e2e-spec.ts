import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { ClosuresService } from '../../src/restaurants/closures/closures.service.js';
import { loadFixtures } from '../../src/testing/load-fixtures.js';
import type { Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { record, without } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('POST /api/v1/sales/upload-daily?dry_run=true', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp({ UPLOAD_MAX_FUTURE_DAYS: 1 })));
  afterAll(() => service.close());

  /** Each test has a restaurant of its own, and its till. */
  let id = 100;
  let token: string;
  beforeEach(async () => ({ token } = await givenTill(service, { restaurants: [++id] })));

  const NO_PAYMENTS = { cash: 0, nets: 0, visa: 0, master: 0, amex: 0, voucher: 0, other: 0 };

  /** An hour of the test's restaurant whose payments add up to `gto`. */
  const paid = (changes: Record<string, unknown> = {}): Record<string, unknown> =>
    record({
      ...{ ...NO_PAYMENTS, restaurant_id: id, gto: 100.1, gst: 9, svc: 10, cash: 100.1 },
      ...changes,
    });
  const send = (query: string, body: unknown, sender = token): Promise<Answer> =>
    service.client.post(`/api/v1/sales/upload-daily${query}`, body, { token: sender });
  const preview = async (...records: Record<string, unknown>[]): Promise<any> =>
    (await send('?dry_run=true', { records })).body;
  /** The uploads of the test's restaurant, the newest first. */
  const uploads = async (): Promise<any[]> => {
    const path = `/api/v1/sales/uploads?restaurant_id=${id}&date=2025-10-15`;
    return (await service.client.get(path, { token })).body.uploads;
  };

  test('says what an upload would change, as that then says, and saves nothing', async () => {
    const rows = async (): Promise<unknown[]> => {
      const all = [];
      for (const table of ['hourly_sales', 'sales_days', 'uploads'])
        all.push(await service.database.query(`SELECT * FROM ${table} ORDER BY 1, 2, 3`));
      return all;
    };
    const [small, same, added] = [paid({ gto: 1e-7 }), paid({ hour: 13 }), paid({ hour: 14 })];
    const large = paid({ gto: 99999999999.9999 });
    await service.client.upload(token, [small, same]);
    const before = await rows();
    const records = [added, large, same];
    const { message, warnings, ...answer } = await preview(...records);
    const figures = (hour: typeof small) => without(hour, 'restaurant_id', 'date', 'hour');
    const changes = [
      { hour: 12, before: figures(small), after: figures(large) },
      { hour: 14, before: null, after: figures(added) },
    ];
    const uploaded_at = expect.any(String);
    const stored = [12, 13].map((hour) => ({ hour, source: null, import: null, uploaded_at }));
    expect(answer).toEqual({ success: true, processed: 3, version: 1, changes, stored });
    expect(message).toBe(
      `3 hourly records would be saved for restaurant ${id} (Restaurant ${id}) on 2025-10-15`,
    );
    expect(warnings).toHaveLength(1);
    expect(await rows()).toEqual(before);
    await service.client.upload(token, records);
    expect((await uploads())[0].changes).toEqual(changes);
    expect((await preview(...records)).changes).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    [
      'payments that add up to gto, in decimals',
      { gto: 0.3, gst: 0, svc: 0, cash: 0.1, nets: 0.2 },
      [],
    ],
    ['payments that add up to gto + gst + svc', { cash: 119.1 }, []],
    ['an hour of zeros', { gto: 0, gst: 0, svc: 0, cash: 0, orders: 0 }, []],
    [
      'payments of neither and orders without turnover',
      { gto: 0, gst: 0.125, cash: 50.125, nets: 49.875, voucher: 1853 },
      [
        'gst_over_a_third: hour 12: gst is 0.125, more than a third of gto, which is 0.00',
        'orders_without_turnover: hour 12: 42 orders, but gto is 0',
        'payments_differ: hour 12: the payments are 1953.00 in all, ' +
          'but gto is 0.00, and 10.125 with gst and svc',
        'svc_over_a_third: hour 12: svc is 10.00, more than a third of gto, which is 0.00',
      ],
    ],
    [
      'GST and service charge over a third of the turnover',
      { gst: 33.4, svc: 33.37 },
      [
        'gst_over_a_third: hour 12: gst is 33.40, more than a third of gto, which is 100.10',
        'svc_over_a_third: hour 12: svc is 33.37, more than a third of gto, which is 100.10',
      ],
    ],
    ['GST and service charge of just a third', { gto: 99.9, cash: 99.9, gst: 33.3, svc: 33.3 }, []],
  ])('warns as it should, and never rejects: %s', async (_what, changes, expected) => {
    const records = [paid({ hour: 3 }), paid(changes)];
    const { warnings } = await preview(...records);
    expect(warnings.map(({ code, message }: any) => `${code}: ${message}`)).toEqual(expected);
    expect(warnings.map(({ hour }: any) => hour)).toEqual(expected.map(() => 12));
    expect((await service.client.upload(token, records)).status).toBe(200);
  });

  test('warns of amounts a hundred times those of the same hour in the four weeks before', async () => {
    const save = (date: string, changes: Record<string, unknown>) =>
      service.client.upload(token, [paid({ date, ...changes })]);
    await save('2025-09-16', { gto: 1, cash: 1 }); // more than four weeks before
    await save('2025-09-17', { gto: 100, cash: 100 });
    await save('2025-10-14', { gto: 101, cash: 100, nets: 1 });
    await save('2025-10-14', { hour: 13, gto: 1, cash: 1 });
    await save('2025-10-15', { gto: 1, cash: 1 }); // the day itself, which is corrected
    const warnings = async (changes: Record<string, unknown>) =>
      (await preview(paid(changes))).warnings;
    expect(await warnings({ gto: 10_049.99, cash: 9000, nets: 99, visa: 950.99 })).toEqual([]);
    const message = `hour 12: 100 times as much as usual in this hour, or more: ${[
      'gto 10050.00 (usually 100.50)',
      'nets 100.00 (usually 1.00)',
    ].join(', ')}`;
    const sent = { gto: 10_050, cash: 9000, nets: 100, visa: 950 };
    expect(await warnings(sent)).toEqual([{ hour: 12, code: 'amount_unusual', message }]);
  });

  test('warns of a day without turnover, and of one that would have less than half of it', async () => {
    const zeros = { orders: 0, gto: 0, gst: 0, svc: 0, cash: 0 };
    const warnings = async (...hours: Record<string, unknown>[]) =>
      (await preview(...hours.map(paid))).warnings;
    const warning = (hour: number, code: string, message: string) => [{ hour, code, message }];
    const none = (so_far: string) =>
      warning(9, 'no_turnover', `the day would have no turnover; so far it has ${so_far}`);
    const zeroHours = [9, 10, 11].map((hour) => ({ ...zeros, hour }));
    expect(await warnings(...zeroHours)).toEqual(none('0.00'));
    expect(await warnings(...zeroHours, {})).toEqual([]);
    await service.client.upload(token, [
      paid({ hour: 9 }),
      paid({ hour: 10, gto: 0.125, cash: 0.125 }),
    ]);
    expect(await warnings(...zeroHours)).toEqual(none('100.225'));
    expect(await warnings({ ...zeros, hour: 9 })).toEqual(
      warning(
        9,
        'turnover_smaller',
        'the day would have a turnover of 0.125, less than half of the 100.225 that it has so far',
      ),
    );
    const half = { gto: 49.9875, gst: 0, svc: 0, cash: 49.9875 };
    expect(await warnings({ ...half, hour: 9 })).toEqual([]);
    expect(await warnings({ ...zeros, hour: 10 }, { ...zeros, hour: 11 })).toEqual([]);
  });

  test('does not expect turnover where no hour is expected', async () => {
    const zeros = paid({ orders: 0, gto: 0, gst: 0, svc: 0, cash: 0 });
    const weekly_hours = ['', ...Array<string>(6).fill('10:00-11:00')];
    const closed = { restaurant_id: id + 1000, name: 'In the morning', weekly_hours };
    const since = { ...closed, first_day: '2025-10-15' };
    await loadFixtures(service.app, { restaurants: [since] });
    const all = await givenTill(service, { restaurants: [id + 1000] });
    const body = { records: [{ ...zeros, restaurant_id: id + 1000 }] };
    expect((await send('?dry_run=true', body, all.token)).body.warnings).toEqual([]);
    const warned = async (date: string) => {
      const sold = [9, 10, 12].map((hour) => paid({ restaurant_id: id + 1000, date, hour }));
      const { body: dryRun } = await send('?dry_run=true', { records: sold }, all.token);
      return dryRun.warnings.map(({ message }: { message: string }) => message);
    };
    const outside = (hour: number) => `hour ${hour}: sales outside the opening hours`;
    expect(await warned('2025-10-15')).toEqual([9, 12].map(outside));
    expect(await warned('2025-10-20')).toEqual([9, 10, 12].map(outside)); // no hours on Mondays
    expect(await warned('2025-10-14')).toEqual([]); // before the first day
  });

  test('warns of dates more than a day ahead, and of those more than five years back', async () => {
    const today = jest.spyOn(service.app.get(BusinessCalendar), 'today');
    const warnings = async (day: string) => {
      today.mockReturnValue(day);
      const { warnings: found } = await preview(paid({ hour: 4 }), paid({ hour: 3 }));
      return found;
    };
    const limit = jest.replaceProperty(service.config, 'UPLOAD_MAX_FUTURE_DAYS', 9);
    expect([await warnings('2025-10-14'), await warnings('2030-10-15')]).toEqual([[], []]);
    const warning = (code: string, message: string) => [{ hour: 3, code, message }];
    expect(await warnings('2025-10-13')).toEqual(
      warning('date_far_ahead', 'the date is 2025-10-15, more than a day after today (2025-10-13)'),
    );
    expect(await warnings('2030-10-16')).toEqual(
      warning(
        'date_long_ago',
        'the date is 2025-10-15, more than five years before today (2030-10-16)',
      ),
    );
    limit.restore();
    today.mockRestore();
  });

  test('takes dry_run as true or false, and saves an upload without it', async () => {
    const saved = `1 hourly record saved for restaurant ${id} (Restaurant ${id}) on 2025-10-15`;
    for (const query of ['', '?dry_run=false', '?other=1']) {
      const { body } = await send(query, { records: [paid()] });
      expect(body).toEqual({ success: true, processed: 1, message: saved });
    }
    const { message, ...preview } = (await send('?dry_run=True', { records: [paid()] })).body;
    const order = ['success', 'processed', 'version', 'changes', 'warnings', 'stored'];
    expect(Object.keys(preview)).toEqual(order);
    expect(message).toBe(saved.replace('saved', 'would be saved'));
    const others = Array.from({ length: 1500 }, (_, index) => `a${index}=&`).join('');
    const behind = (await send(`?${others}dry_run=true`, { records: [paid()] })).body;
    expect(behind.message).toBe(message);
    const twice = 'dry_run=true&dry_run=true';
    for (const [query, fault] of [
      ['?dry_run=', 'dry_run must be true or false'],
      [`?${twice}`, 'dry_run must be given once'],
      [`?dry_run=true&${others}dry_run=true`, 'dry_run must be given once'],
      ...['dryRun', 'dry-run', 'Dry_Run', 'DRYRUN', 'dry_run[]'].map((name) => [
        `?${name}=true`,
        `${name} is not known: it is dry_run`,
      ]),
    ] as const) {
      const answer = await send(query, { records: [paid()] });
      expectError(answer, 400);
      expect(answer.body).toEqual({ error: fault });
    }
    expect(await uploads()).toHaveLength(3);
  });

  test('rejects a date beyond UPLOAD_MAX_FUTURE_DAYS, as an upload does', async () => {
    const today = jest.spyOn(service.app.get(BusinessCalendar), 'today');
    today.mockReturnValue('2025-10-15');
    const statusOf = async (query: string, date: string): Promise<number> =>
      (await send(query, { records: [paid({ date })] })).status;
    for (const query of ['', '?dry_run=true'])
      expect([await statusOf(query, '2025-10-16'), await statusOf(query, '2025-10-17')]).toEqual([
        200, 400,
      ]);
    today.mockRestore();
  });

  test('rejects what an upload rejects, with the same texts', async () => {
    await givenRestaurant(service, 90);
    const closure = { firstDay: '2025-11-01', lastDay: null, reason: null };
    await service.app.get(ClosuresService).close([id], closure);
    const revoked = (await givenTill(service, { restaurants: [id] })).token;
    await service.client.post('/api/v1/auth/revoke', {}, { token: revoked });
    const cases: [status: number, body: unknown, sender?: string][] = [
      [401, { records: [paid()] }, revoked],
      [413, { records: Array(25).fill(paid()) }],
      [400, { records: [paid({ date: '9999-12-31' })] }],
      [400, { records: [paid({ date: '2025-11-01' })] }],
      [403, { records: [paid({ restaurant_id: 90 })] }],
      [403, { records: [paid({ restaurant_id: 999_999 })] }],
    ];
    for (const [status, body, sender] of cases) {
      const upload = await send('', body, sender);
      const dryRun = await send('?dry_run=true', body, sender);
      expectError(dryRun, status);
      expect([upload.status, upload.text]).toEqual([status, dryRun.text]);
    }
  });
});
