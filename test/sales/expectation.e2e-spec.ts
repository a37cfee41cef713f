import { formatHours, listHours, parseHours, WEEKDAYS } from '../../src/calendar/hour-set.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { ReportsService } from '../../src/sales/reports/reports.service.js';
import { loadFixtures } from '../../src/testing/load-fixtures.js';
import type { Fixtures } from '../../src/testing/start-test-server.js';
import { CommandLine } from '../support/command-line.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const FROM = '2025-10-06'; // a Monday
const TO = '2025-10-12'; // the Sunday after it
const DAYS = ['06', '07', '08', '09', '10', '11', '12'].map((day) => `2025-10-${day}`);

type Restaurant = NonNullable<Fixtures['restaurants']>[number];

/** A restaurant that is not ideal, and what is said of it from Monday 6 to Sunday 12 October. */
interface Case {
  readonly is: string;
  readonly given?: Partial<Restaurant>;
  /** Hours to upload, by day. */
  readonly sent: Readonly<Record<string, string>>;
  /** What a command does after the uploads. */
  readonly then?: string;
  readonly letters: string;
  readonly expected: readonly number[];
  readonly missing: readonly number[];
  /** What `restaurant list` says on Friday 10 October. */
  readonly today: string;
  readonly lastSent: string | null;
}

const ALL = '00:00-24:00';
const NIGHT = '18:00-24:00,00:00-02:00';
const each = (hours: string): string[] => Array<string>(7).fill(hours);
const everyDay = (hours: string) => Object.fromEntries(DAYS.map((day) => [day, hours]));

const CASES: readonly Case[] = [
  {
    is: 'new: its first day is Wednesday, and what it sent before counts',
    given: { first_day: DAYS[2]! },
    sent: { [DAYS[1]!]: '12:00-13:00', [DAYS[2]!]: ALL, [DAYS[3]!]: '12:00-13:00' },
    ...{ letters: 'XCCPTFF', today: ALL, lastSent: DAYS[3]! },
    ...{ expected: [0, 0, 24, 24, 24, 24, 24], missing: [0, 0, 0, 23, 24, 24, 24] },
  },
  {
    is: 'closed for good since Wednesday',
    sent: { [DAYS[0]!]: ALL },
    then: 'close ID --from 2025-10-08 --reason sold',
    ...{ letters: 'CMXXXXX', today: 'closed from 2025-10-08: sold', lastSent: DAYS[0]! },
    ...{ expected: [24, 24, 0, 0, 0, 0, 0], missing: [0, 24, 0, 0, 0, 0, 0] },
  },
  {
    is: 'closed for a week that ends on Tuesday',
    given: { closures: [{ first_day: '2025-10-01', last_day: DAYS[1]! }] },
    sent: { [DAYS[2]!]: ALL },
    ...{ letters: 'XXCMTFF', today: ALL, lastSent: DAYS[2]! },
    ...{ expected: [0, 0, 24, 24, 24, 24, 24], missing: [0, 0, 0, 24, 24, 24, 24] },
  },
  {
    is: 'closed and sent all the same, before it was closed',
    sent: { [DAYS[0]!]: '12:00-14:00', [DAYS[1]!]: ALL },
    then: 'close ID --from 2025-10-06 --to 2025-10-08',
    ...{ letters: 'CCXMTFF', today: ALL, lastSent: DAYS[1]! },
    ...{ expected: [0, 0, 0, 24, 24, 24, 24], missing: [0, 0, 0, 24, 24, 24, 24] },
  },
  {
    is: 'closed on Mondays, eleven hours on other days',
    given: { weekly_hours: ['', ...Array<string>(6).fill('11:00-22:00')] },
    sent: { [DAYS[1]!]: '11:00-22:00', [DAYS[2]!]: '11:00-21:00', [DAYS[3]!]: ALL },
    ...{ letters: 'XCPCTFF', today: '11:00-22:00', lastSent: DAYS[3]! },
    ...{ expected: [0, 11, 11, 11, 11, 11, 11], missing: [0, 0, 1, 0, 11, 11, 11] },
  },
  {
    is: 'open past midnight',
    given: { weekly_hours: each(NIGHT) },
    sent: { [DAYS[0]!]: NIGHT, [DAYS[1]!]: '18:00-24:00', [DAYS[2]!]: '12:00-13:00' },
    ...{ letters: 'CPPMTFF', today: NIGHT, lastSent: DAYS[2]! },
    ...{ expected: [8, 8, 8, 8, 8, 8, 8], missing: [0, 2, 8, 8, 8, 8, 8] },
  },
  {
    is: 'open past midnight, from the evening of Tuesday on',
    given: { first_day: DAYS[1]!, weekly_hours: each(NIGHT) },
    sent: { [DAYS[1]!]: '18:00-24:00', [DAYS[2]!]: '00:00-02:00' },
    ...{ letters: 'XCPMTFF', today: NIGHT, lastSent: DAYS[2]! },
    ...{ expected: [0, 6, 8, 8, 8, 8, 8], missing: [0, 0, 6, 8, 8, 8, 8] },
  },
  {
    is: 'open past midnight, closed on the evenings of Tuesday and Wednesday',
    given: {
      weekly_hours: each(NIGHT),
      closures: [{ first_day: DAYS[1]!, last_day: DAYS[2]! }],
    },
    sent: { [DAYS[0]!]: NIGHT, [DAYS[1]!]: '00:00-02:00', [DAYS[3]!]: '18:00-23:00' },
    ...{ letters: 'CCXPTFF', today: NIGHT, lastSent: DAYS[3]! },
    ...{ expected: [8, 2, 0, 6, 8, 8, 8], missing: [0, 0, 0, 1, 8, 8, 8] },
  },
  {
    is: 'without hours at all',
    given: { weekly_hours: each('') },
    sent: { [DAYS[3]!]: '12:00-13:00' },
    ...{ letters: 'XXXCXXX', today: 'day off', lastSent: DAYS[3]! },
    ...{ expected: [0, 0, 0, 0, 0, 0, 0], missing: [0, 0, 0, 0, 0, 0, 0] },
  },
  {
    is: 'open for one hour',
    given: { weekly_hours: each('12:00-13:00') },
    sent: { [DAYS[0]!]: '12:00-13:00', [DAYS[1]!]: '11:00-12:00' },
    ...{ letters: 'CPMMTFF', today: '12:00-13:00', lastSent: DAYS[1]! },
    ...{ expected: [1, 1, 1, 1, 1, 1, 1], missing: [0, 1, 1, 1, 1, 1, 1] },
  },
  {
    is: 'not open yet: its first day is Sunday',
    given: { first_day: TO },
    sent: {},
    ...{ letters: 'XXXXXXF', today: 'first day 2025-10-12', lastSent: null },
    ...{ expected: [0, 0, 0, 0, 0, 0, 24], missing: [0, 0, 0, 0, 0, 0, 24] },
  },
  {
    is: 'renamed',
    sent: { [DAYS[0]!]: ALL },
    then: 'rename ID --name Renamed',
    ...{ letters: 'CMMMTFF', today: ALL, lastSent: DAYS[0]! },
    ...{ expected: [24, 24, 24, 24, 24, 24, 24], missing: [0, 24, 24, 24, 24, 24, 24] },
  },
  {
    is: 'without uploads ever',
    sent: {},
    ...{ letters: 'MMMMTFF', today: ALL, lastSent: null },
    ...{ expected: [24, 24, 24, 24, 24, 24, 24], missing: [24, 24, 24, 24, 24, 24, 24] },
  },
  {
    is: 'open and sent in all hours, also of days to come',
    sent: everyDay(ALL),
    ...{ letters: 'CCCCCCC', today: ALL, lastSent: DAYS[4]! },
    ...{ expected: [24, 24, 24, 24, 24, 24, 24], missing: [0, 0, 0, 0, 0, 0, 0] },
  },
];

describe('What is expected of a restaurant that is not ideal', () => {
  let service: TestApp;
  let token: string;
  const idOf = (at: number): number => 201 + at;
  const nameOf = ({ is }: Case): string => (is === 'renamed' ? 'Renamed' : is);
  const read = async (path: string): Promise<any> => {
    const { status, body } = await service.client.get(`/api/v1/sales/${path}`, { token });
    expect(status).toBe(200);
    return body;
  };
  const run = async (line: string) => {
    const ran = await new CommandLine(service.app).run(line.split(' '));
    expect(ran.stderr).toBe('');
    return ran;
  };
  const hoursSent = ({ sent }: Case, date: string): number => parseHours(sent[date] ?? 'none')!;
  /** How many hours of a restaurant, or of all, are in a list by day, or in all of it. */
  const sum = (counts: readonly number[]): number =>
    counts.reduce((total, count) => total + count, 0);

  beforeAll(async () => {
    service = await createTestApp({ TIME_ZONE: 'Asia/Singapore' });
    const { Clock } = await import('../../src/calendar/business-calendar.js');
    const now = jest.spyOn(service.app.get(Clock), 'now');
    now.mockReturnValue(Date.parse('2025-10-10T10:00:00+08:00')); // Friday
    const restaurants = CASES.map(({ is, given }, at) => ({ restaurant_id: idOf(at), name: is, ...given })); // prettier-ignore
    await loadFixtures(service.app, { restaurants });
    ({ token } = await givenTill(service, { restaurants: CASES.map((_, at) => idOf(at)) }));
    for (const [at, one] of CASES.entries()) {
      for (const date of Object.keys(one.sent)) {
        const hours = listHours(hoursSent(one, date));
        const records = hours.map((hour) => record({ restaurant_id: idOf(at), date, hour }));
        expect((await service.client.upload(token, records)).status).toBe(200);
      }
      if (one.then) await run(`restaurant ${one.then.replace('ID', String(idOf(at)))}`);
    }
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  test.each(CASES.map((one, at) => [one.is, one, at] as const))('%s', async (_is, one, at) => {
    const [id, name] = [idOf(at), nameOf(one)];
    const { letters, expected, missing, lastSent } = one;
    const calendar = await read(`calendar?from=${FROM}&to=${TO}&restaurant_id=${id}`);
    const [row] = calendar.restaurants;
    expect(row).toMatchObject({ restaurant_id: id, name, days: letters, last_sent: lastSent });
    expect([row.expected_hours, row.missing_hours]).toEqual([expected, missing]);
    expect(row.first_day).toBe(one.given?.first_day ?? '0001-01-01');

    const listed = (await read(`missing?from=${FROM}&to=${TO}&restaurant_id=${id}`)).missing;
    const incomplete = DAYS.filter((_date, day) => missing[day]! > 0);
    expect(listed.map((each: any) => each.date)).toEqual(incomplete);
    for (const [day, date] of DAYS.entries()) {
      const body = await read(`daily?restaurant_id=${id}&date=${date}`);
      const there = body.records.map(({ hour }: any) => hour);
      expect(there).toEqual(listHours(hoursSent(one, date))); // what was sent always counts
      expect(body.expected_hours).toHaveLength(expected[day]!);
      expect(body.missing_hours).toEqual(body.expected_hours.filter((hour: number) => !there.includes(hour))); // prettier-ignore
      const item = listed.find((each: any) => each.date === date);
      expect(item?.missing_hours ?? []).toEqual(body.missing_hours);
      if (item) {
        const status = there.length > 0 ? 'partial' : 'missing';
        expect(item).toMatchObject({ expected_hours: expected[day], status });
      }
    }
    const totals = await read(`totals?from=${FROM}&to=${TO}&restaurant_id=${id}&group_by=date`);
    expect(totals.days.map((each: any) => [each.expected_hours, each.missing_hours])).toEqual(
      expected.map((count, day) => [count, missing[day]]),
    );
    const sent = DAYS.map((date) => listHours(hoursSent(one, date)).length);
    expect(totals.days.map(({ hours }: any) => hours)).toEqual(sent);
  });

  test('commands say the same: `list` and `show` of today, `missing` of each day', async () => {
    const { stdout } = await run('restaurant list');
    for (const [at, one] of CASES.entries()) {
      const line = stdout.split('\n').find((each) => each.startsWith(String(idOf(at))))!;
      expect(line.replace(/ {2,}/g, '|')).toBe(`${idOf(at)}|${nameOf(one)}|${one.today}`);
      const shown = JSON.parse((await run(`restaurant show ${idOf(at)} --json`)).stdout);
      expect(shown).toMatchObject({ today: one.today, last_sent: one.lastSent });
    }
    for (const [day, date] of DAYS.entries()) {
      const { status, stdout: printed } = await run(`sales missing --date ${date} --json`);
      const counts = CASES.map(({ missing }, at) => [idOf(at), missing[day]!] as const);
      const missed = counts.filter(([, count]) => count > 0);
      const items = JSON.parse(printed).missing;
      expect([status, items.map((each: any) => [each.restaurant_id, each.missing_hours.length])]).toEqual([missed.length > 0 ? 3 : 0, missed]); // prettier-ignore
      expect(await service.app.get(ReportsService).findAllMissing(date)).toHaveLength(
        missed.length,
      );
    }
  });

  test('totals of all add up the same counts by date, restaurant, hour, and weekday with hour', async () => {
    const range = `from=${FROM}&to=${TO}`;
    const expected = sum(CASES.flatMap((each) => each.expected));
    const missing = sum(CASES.flatMap((each) => each.missing));
    for (const [groupBy, list] of [['date', 'days'], ['restaurant', 'restaurants'], ['hour', 'hours'], ['weekday_hour', 'weekday_hours']] as const) {
      const lines = (await read(`totals?${range}&group_by=${groupBy}`))[list];
      const counts = ['expected_hours', 'missing_hours'].map((name) => sum(lines.map((line: any) => line[name])));
      expect({ groupBy, counts }).toEqual({ groupBy, counts: [expected, missing] });
      if (groupBy === 'restaurant')
        expect(lines.map((line: any) => line.missing_hours)).toEqual(CASES.map((each) => sum(each.missing)));
    } // prettier-ignore
  });

  test('a closure takes the night after an open evening, and zeros; no other sales', async () => {
    const at = CASES.findIndex(({ is }) => is.includes('closed on the evenings'));
    const none = { orders: 0, gto: 0, gst: 0, svc: 0, discount: 0, pax: 0, cash: 0, nets: 0, visa: 0, master: 0, amex: 0, voucher: 0, other: 0 }; // prettier-ignore
    const status = async (day: string, hours: readonly number[], sold: readonly number[]) => {
      const records = hours.map((hour) => ({
        ...record({ restaurant_id: idOf(at), date: day, hour }),
        ...(!sold.includes(hour) && none),
      }));
      const answers = [];
      for (const query of ['?dry_run=true', '']) {
        const path = `/api/v1/sales/upload-daily${query}`;
        answers.push((await service.client.post(path, { records }, { token })).status);
      }
      return answers;
    };
    const all = listHours(parseHours(ALL)!);
    expect(await status(DAYS[1]!, all, [0, 1])).toEqual([200, 200]);
    expect(await status(DAYS[1]!, all, [1, 2])).toEqual([400, 400]);
    expect(await status(DAYS[2]!, all, [])).toEqual([200, 200]);
    expect(await status(DAYS[2]!, all, [0])).toEqual([400, 400]);
    expect(await status(DAYS[2]!, [23], [23])).toEqual([400, 400]);
    expect(await status(DAYS[3]!, all, [0, 1, 18])).toEqual([200, 200]);
  });

  test('only closed days reject uploads; before the first day and outside the hours they are accepted', async () => {
    const restaurants = await service.app.get(RestaurantsService).list();
    const isClosed = ({ closures }: (typeof restaurants)[number], date: string): boolean =>
      closures.some(({ firstDay, lastDay }) => firstDay <= date && date <= (lastDay ?? date));
    for (const restaurant of restaurants)
      for (const date of ['2020-01-01', ...DAYS, '2030-01-01']) {
        const sent = [record({ restaurant_id: restaurant.id, date, hour: 4 })];
        const path = '/api/v1/sales/upload-daily?dry_run=true';
        const { status } = await service.client.post(path, { records: sent }, { token });
        expect([restaurant.name, date, status]).toEqual([restaurant.name, date, isClosed(restaurant, date) ? 400 : 200]); // prettier-ignore
      }
  });

  test('sales verify finds no difference', async () => {
    const { status, stdout } = await run('sales verify --json');
    expect([status, JSON.parse(stdout)]).toMatchObject([0, {}]);
  });

  describe('The night of a weekday', () => {
    test.each<[string, string, string]>([
      ['18:00-24:00', '00:00-02:00,18:00-24:00', '00:00-02:00'],
      ['18:00-24:00', '00:00-02:00,03:00-04:00', '00:00-02:00'],
      ['18:00-24:00', '00:00-23:00', '00:00-23:00'],
      ['18:00-23:00', '00:00-02:00', ''],
      ['18:00-24:00', '01:00-02:00', ''],
      ['18:00-24:00', 'none', ''],
      ['18:00-24:00', '00:00-24:00', ''],
      ['00:00-24:00', '00:00-02:00', ''],
    ])('after %s, %s has %j', async (before, hours, night) => {
      const [hoursBefore, ofDay] = [parseHours(before)!, parseHours(hours)!];
      const restaurants = service.app.get(RestaurantsService);
      for (const [weekday, weeklyHours] of [
        [7, [0, 0, 0, 0, 0, hoursBefore, ofDay]],
        [1, [ofDay, 0, 0, 0, 0, 0, hoursBefore]],
      ] as const) {
        await restaurants.change([idOf(0)], () => ({ weeklyHours }));
        const { nights } = await restaurants.get(idOf(0));
        expect(nights.map(formatHours)).toEqual(
          WEEKDAYS.map((each) => (each === weekday ? night : '')),
        );
      }
    });
  });
});
