import { setImmediate as turn } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { LedgerService } from '../../src/sales/ledger/ledger.service.js';
import { DayTotalsService } from '../../src/sales/reports/day-totals.service.js';
import { STORE_TOTALS } from '../../src/sales/reports/totals.statements.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { untilBlocked, whileDaysAreLocked } from '../support/test-database.js';

const DATE = '2025-10-15'; // a Wednesday
const ONE_DAY = `from=${DATE}&to=${DATE}`;

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

/** Each test has two restaurants of its own, and their till. */
let id = 100;
let token: string;
beforeEach(async () => {
  id += 2;
  ({ token } = await givenTill(service, { restaurants: [id, id + 1] }));
});

const upload = async (...records: Record<string, unknown>[]): Promise<void> => {
  const sent = records.map((each) => ({ restaurant_id: id, ...each }));
  expect((await service.client.upload(token, sent)).status).toBe(200);
};
const read = async (query: string): Promise<any> =>
  (await service.client.get(`/api/v1/sales/totals?${query}`, { token })).body;
const gto = async (): Promise<number> => (await read(ONE_DAY)).days[0].totals.gto;
const store = (): Promise<void> => service.app.get(Housekeeping).run();
const stored = async (): Promise<unknown[]> =>
  service.database.query(
    `SELECT totals_upload, total_gto::float AS gto FROM sales_days WHERE restaurant_id = $1`,
    [id],
  );
/** A whole day whose every hour has the same turnover. */
const evenDay = (turnover: number): Record<string, unknown>[] =>
  day({ restaurant_id: id, gto: turnover });

describe('GET /api/v1/sales/totals by hour, and by weekday and hour', () => {
  test('has a line for each hour, with what was sent, expected and missing', async () => {
    await upload(record({ restaurant_id: id, hour: 9, gto: 0.1 }));
    await upload(record({ restaurant_id: id, hour: 9, gto: 0.2, date: '2025-10-16' }));
    await upload(record({ restaurant_id: id + 1, hour: 9, gto: 99999999999.9999 }));
    await upload(record({ restaurant_id: id + 1, hour: 9, gto: 7, date: '2025-10-17' }));
    const range = `from=${DATE}&to=2025-10-16`;
    const { text } = await service.client.get(`/api/v1/sales/totals?${range}&group_by=hour`, {
      token,
    });
    expect(text).toContain(
      '{"hour":9,"hours":3,"expected_hours":4,"missing_hours":1,"totals":{"orders":126,"gto":100000000000.2999,',
    );
    const { hours, ...others } = JSON.parse(text);
    expect(others).toEqual({ from: DATE, to: '2025-10-16' });
    expect(hours.map(({ hour }: any) => hour)).toEqual(Array.from({ length: 24 }, (_, at) => at));
    expect(hours[10]).toMatchObject({ hours: 0, expected_hours: 4, missing_hours: 4 });
    expect(hours[10].totals).toMatchObject({ orders: 0, gto: 0, other: 0 });
  });

  test('has a line for each hour of each weekday, Monday first', async () => {
    for (const [date, gto] of [[DATE, 1], ['2025-10-22', 2], ['2025-10-19', 4]] as const)
      await upload(record({ restaurant_id: id, hour: 23, gto, date })); // prettier-ignore
    const query = `from=${DATE}&to=2025-10-22&restaurant_id=${id}&group_by=weekday_hour`;
    const { weekday_hours: lines } = await read(query);
    const places = lines.map(({ weekday, hour }: any) => 24 * (weekday - 1) + Number(hour));
    expect(places).toEqual(Array.from({ length: 168 }, (_, at) => at));
    const sold = lines.filter((line: any) => line.hours > 0);
    expect(sold).toMatchObject([
      { weekday: 3, hour: 23, hours: 2, expected_hours: 2, missing_hours: 0, totals: { gto: 3 } },
      { weekday: 7, hour: 23, hours: 1, expected_hours: 1, missing_hours: 0, totals: { gto: 4 } },
    ]);
    expect(lines[0]).toMatchObject({ hours: 0, expected_hours: 1, missing_hours: 1 });
  });
});

describe('GET /api/v1/sales/totals by week and month, in several lists and ranges', () => {
  const sell = (restaurant_id: number, date: string, gto: number): Promise<void> =>
    upload(record({ restaurant_id, date, gto, orders: 1 }));
  const query = (from: string, to: string, others = ''): Promise<any> =>
    read(`from=${from}&to=${to}&fields=gto,orders&${others}`);

  test('begins weeks on Monday, and cuts weeks and months to the range', async () => {
    await sell(id, '2025-09-29', 0.1); // a Monday
    await sell(id, '2025-09-30', 0.2);
    await sell(id + 1, '2025-10-05', 0.4);
    await sell(id + 1, '2025-10-06', 0.8);
    for (const store_before of [false, true]) {
      if (store_before) await store();
      const { weeks, months, ...others } = await query(
        '2025-09-30',
        '2025-10-07',
        'group_by=week,month',
      );
      expect(others).toEqual({ from: '2025-09-30', to: '2025-10-07' });
      const line = (
        from: string,
        to: string,
        restaurants: number,
        days: number,
        totals: object,
      ) => ({
        ...{ from, to, restaurants, hours: 1 },
        expected_hours: 2 * 24 * days,
        missing_hours: 2 * 24 * days - 1,
        totals,
      });
      expect(months).toEqual([
        line('2025-09-30', '2025-09-30', 1, 1, { gto: 0.2, orders: 1 }),
        {
          ...line('2025-10-01', '2025-10-07', 1, 7, { gto: 1.2, orders: 2 }),
          hours: 2,
          missing_hours: 334,
        },
      ]);
      expect(weeks).toEqual([
        {
          ...line('2025-09-30', '2025-10-05', 2, 6, { gto: 0.6, orders: 2 }),
          hours: 2,
          missing_hours: 286,
        },
        line('2025-10-06', '2025-10-07', 1, 2, { gto: 0.8, orders: 1 }),
      ]);
    }
  });

  test('has several lists in one response, each as it is alone, and those of a second range', async () => {
    for (const [at, date] of ['2024-12-31', '2025-01-01', '2025-02-28', '2025-03-01'].entries())
      for (const restaurant of [id, id + 1]) await sell(restaurant, date, at + 0.25);
    const [now, before] = [
      ['2025-01-01', '2025-03-01'],
      ['2024-12-01', '2024-12-31'],
    ] as const;
    const groupings = ['restaurant', 'month', 'week', 'date', 'weekday_hour', 'hour'];
    const all = await query(
      ...now,
      `group_by=${groupings.join()}&before_from=${before[0]}&before_to=${before[1]}`,
    );
    const alone = { ...(await query(...now)) };
    const aloneBefore = { ...(await query(...before)) };
    for (const grouping of groupings) {
      Object.assign(alone, await query(...now, `group_by=${grouping}`));
      Object.assign(aloneBefore, await query(...before, `group_by=${grouping}`));
    }
    expect(all).toEqual({ ...alone, before: aloneBefore });
    expect(all.months.map(({ totals }: any) => totals.gto)).toEqual([2.5, 4.5, 6.5]);
    expect(all.before.restaurants).toMatchObject([
      { restaurant_id: id, days: 1, last_sent: '2025-03-01', totals: { gto: 0.25 } },
      { restaurant_id: id + 1 },
    ]);
    expect(Object.keys(all.days[0].totals)).toEqual(['orders', 'gto']);
    expect(all.days[1].totals).toEqual({ orders: 0, gto: 0 });
  });

  test('says what is wrong with a request', async () => {
    const cases: [others: string, error: string | RegExp][] = [
      [
        'group_by=year',
        /^group_by must be date, week, month, restaurant, hour, weekday_hour, or some/,
      ],
      ['group_by=date,date', /^group_by must be /],
      ['group_by=', /^group_by must be /],
      ['before_from=2025-01-01', 'before_to is missing: before_from is given'],
      ['before_to=2025-01-01', 'before_from is missing: before_to is given'],
      ['before_from=2025-01-02&before_to=2025-01-01', /before/],
      ['before_from=2020-01-02&before_to=2025-01-01', /at most 400 days/],
    ];
    for (const [others, error] of cases) {
      const path = `/api/v1/sales/totals?${ONE_DAY}&${others}`;
      const answer = await service.client.get(path, { token });
      expectError(answer, 400);
      expect(answer.body.error).toEqual(
        typeof error === 'string' ? error : expect.stringMatching(error),
      );
    }
    const answer = await service.client.get(`/api/v1/sales/totals?${ONE_DAY}&fields=gto,date`, {
      token,
    });
    expectError(answer, 400, /fields must be orders, gto, /);
  });
});

describe('The totals that a day keeps', () => {
  test('are read instead of its hours, until the day is uploaded again', async () => {
    await upload(...evenDay(1));
    await store();
    expect(await stored()).toEqual([{ totals_upload: 1, gto: 24 }]);
    const change = 'UPDATE sales_days SET total_gto = 1000.5 WHERE restaurant_id = $1';
    await service.database.query(change, [id]);
    expect(await gto()).toBe(1000.5);
    expect(await service.app.get(LedgerService).verify()).toMatchObject({
      differences: 1,
      reported: [
        { restaurant_id: id, hour: null, stored: { gto: 1000.5 }, ledger: { gto: 24, pax: 2304 } },
      ],
    });
    await upload(record({ restaurant_id: id, hour: 5, gto: 2 }));
    expect(await gto()).toBe(25);
    await store();
    expect([await gto(), await stored()]).toEqual([25, [{ totals_upload: 2, gto: 25 }]]);
  });

  test('of many days, as after an upgrade, are said to make reports slow until they are stored', async () => {
    await upload(...evenDay(1));
    await service.database.query(
      `INSERT INTO sales_days (restaurant_id, date, uploads, hours, last_uploaded_at)
       SELECT restaurant_id, '2020-01-01'::date - n, 1, hours, now()
       FROM sales_days, generate_series(1, 5500) AS n WHERE restaurant_id = $1`,
      [id],
    );
    await service.database.query(
      `INSERT INTO hourly_sales
       SELECT (jsonb_populate_record(h, jsonb_build_object('date', '2020-01-01'::date - n))).*
       FROM hourly_sales AS h, generate_series(1, 5500) AS n WHERE restaurant_id = $1 AND hour = 0`,
      [id],
    );
    const totals = service.app.get(DayTotalsService);
    const said: unknown[] = [];
    jest
      .spyOn(totals['logger'], 'warn')
      .mockImplementation((text) => said.push(text, totals.delay));
    jest.spyOn(totals['logger'], 'log').mockImplementation((text) => said.push(text));
    await totals.store();
    const slow = 'reports are slow until the totals of all days are stored, as after an upgrade';
    expect(said).toEqual([
      slow,
      slow,
      expect.stringMatching(/^the totals of 5\d\d\d days are stored/),
    ]);
    expect(totals.delay).toBeUndefined();
    jest.restoreAllMocks();
    // The ledger has no uploads of these days.
    const forget = `ALTER TABLE sales_days DISABLE TRIGGER never_deleted;
      DELETE FROM sales_days WHERE date < '2020-01-01'; DELETE FROM hourly_sales WHERE date < '2020-01-01';
      ALTER TABLE sales_days ENABLE TRIGGER never_deleted`;
    await service.database.query(forget);
  });

  test('by a release that knew fewer fields are not read', async () => {
    await upload(...evenDay(1));
    await store();
    const cut = 'UPDATE sales_days SET totals_fields = 12 WHERE restaurant_id = $1';
    await service.database.query(cut, [id]);
    expect((await read(ONE_DAY)).days[0].totals.pax).toBe(24 * 96);
  });

  test('wait for no upload of the day, and are right when it is saved', async () => {
    await upload(...evenDay(1));
    await upload(...evenDay(2).map((hour) => ({ ...hour, restaurant_id: id + 1 })));
    await whileDaysAreLocked(service.database, async () => {
      const uploads = upload(...evenDay(3)).then(() => undefined);
      await untilBlocked(service.database, 1);
      await store();
      expect(await gto()).toBe(24 * 3);
      await service.database.query('ROLLBACK; BEGIN');
      await uploads;
    });
    expect(await gto()).toBe(24 * 5);
    await store();
    expect([await gto(), await stored()]).toEqual([24 * 5, [{ totals_upload: 2, gto: 72 }]]);
  });

  test('are never those of an older snapshot than their number', async () => {
    await upload(...evenDay(1));
    // The statement has taken its snapshot, and waits before it locks the day.
    const text = STORE_TOTALS.text.replace(
      'WHERE restaurant_id = $1',
      'WHERE pg_advisory_xact_lock_shared(4711)::text IS NOT NULL AND restaurant_id = $1',
    );
    await service.database.query('SELECT pg_advisory_lock(4711)');
    const storing = service.app.get(Database).run({ text }, [id]);
    await untilBlocked(service.database, 1);
    await upload(...evenDay(2));
    await service.database.query('SELECT pg_advisory_unlock(4711)');
    expect([await storing, await gto()]).toEqual([[], 48]);
    await store();
    expect([await gto(), await stored()]).toEqual([48, [{ totals_upload: 2, gto: 48 }]]);
  });

  test('no report is older than an upload that was acknowledged before it, nor torn', async () => {
    const ROUNDS = 40;
    const acknowledged = [0, 0];
    let isOver = false;
    const till = async (at: number): Promise<void> => {
      for (let turnover = 1; turnover <= ROUNDS; turnover++) {
        await upload(...evenDay(turnover).map((hour) => ({ ...hour, restaurant_id: id + at })));
        acknowledged[at] = turnover;
      }
    };
    const storing = async (): Promise<void> => {
      while (!isOver) await Promise.all([store(), turn()]);
    };
    const reader = async (): Promise<number> => {
      let reports = 0;
      for (; !isOver; reports++) {
        const least = acknowledged.map((turnover) => 24 * turnover);
        const { restaurants } = await read(`${ONE_DAY}&group_by=restaurant`);
        for (const [at, { totals }] of restaurants.entries()) {
          expect(totals.gto % 24).toBe(0);
          expect(totals.gto).toBeGreaterThanOrEqual(least[at]!);
        }
      }
      return reports;
    };
    const others = [storing(), reader(), reader()] as const;
    await Promise.all([till(0), till(1)]).finally(() => (isOver = true));
    const [, ...reports] = await Promise.all(others);
    expect(Math.min(...reports)).toBeGreaterThan(0);
    await store();
    const { restaurants } = await read(`${ONE_DAY}&group_by=restaurant`);
    expect(restaurants.map(({ totals }: any) => totals.gto)).toEqual([24 * ROUNDS, 24 * ROUNDS]);
    expect((await service.app.get(LedgerService).verify()).differences).toBe(0);
  });
});
