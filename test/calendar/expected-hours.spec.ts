import { BusinessCalendar, Clock } from '../../src/calendar/business-calendar.js';
import {
  closureOn,
  expectedHours,
  type Schedule,
  withEvening,
} from '../../src/calendar/expected-hours.js';
import {
  ALL_HOURS,
  countHours,
  formatHours,
  formatWeek,
  listHours,
  parseEvening,
  parseHours,
} from '../../src/calendar/hour-set.js';
import { configWith } from '../../src/config/config.js';

const LUNCH = parseHours('11:00-14:00')!;
const EVENING = parseHours('18:00-24:00')!;
const NIGHT = parseHours('00:00-02:00')!;

const everyDay = (hours: number): number[] => Array<number>(7).fill(hours);

describe('What is expected of a restaurant on a date', () => {
  const schedule = (changes: Partial<Schedule>): Schedule => ({
    firstDay: '2025-10-15',
    weeklyHours: everyDay(ALL_HOURS),
    nights: everyDay(0),
    closures: [],
    ...changes,
  });
  const expectedOn = (changes: Partial<Schedule>, dates: string[], TIME_ZONE = 'UTC'): number[] => {
    const calendar = new BusinessCalendar(configWith({ TIME_ZONE }), new Clock());
    return dates.map((date) => expectedHours(schedule(changes), calendar.dayOf(date)));
  };

  test('is nothing before the first day, and the hours of the weekday from it on', () => {
    const weeklyHours = [1, 2, 4, 8, 16, 32, 64];
    const dates = ['2025-10-14', '2025-10-15', '2025-10-18', '2025-10-19', '2025-10-20'];
    expect(expectedOn({ weeklyHours }, dates)).toEqual([0, 4, 32, 64, 1]); // the 15th is a Wednesday
  });

  test('is nothing on a closure, whose ends are closed days; one without an end goes on', () => {
    const holiday = { firstDay: '2025-12-24', lastDay: '2025-12-26', reason: 'Christmas' };
    const forGood = { firstDay: '2026-03-01', lastDay: null, reason: null };
    const closures = [holiday, forGood];
    const dates = ['12-23', '12-24', '12-26', '12-27'].map((day) => `2025-${day}`);
    expect(expectedOn({ closures }, dates)).toEqual([ALL_HOURS, 0, 0, ALL_HOURS]);
    expect(
      ['2026-02-28', '2026-03-01', '9999-12-31'].map((date) => closureOn({ closures }, date)),
    ).toEqual([undefined, forGood, forGood]);
  });

  test('is not the night before the first evening', () => {
    const evenings = { weeklyHours: everyDay(EVENING | NIGHT), nights: everyDay(NIGHT) };
    const dates = ['2025-10-14', '2025-10-15', '2025-10-16'];
    expect(expectedOn(evenings, dates)).toEqual([0, EVENING, EVENING | NIGHT]);
  });

  test('is the night after an open evening also on a closed day, and none after a closed evening', () => {
    const evenings = { weeklyHours: everyDay(EVENING | NIGHT), nights: everyDay(NIGHT) };
    const closed = (firstDay: string, lastDay: string | null) => ({
      ...{ firstDay, lastDay, reason: null },
    });
    const dates = ['12-23', '12-24', '12-25', '12-26', '12-27'].map((day) => `2025-${day}`);
    const all = EVENING | NIGHT;
    const expected = [all, NIGHT, 0, EVENING, all];
    for (const closures of [
      [closed('2025-12-24', '2025-12-25')],
      [closed('2025-12-25', '2025-12-25'), closed('2025-12-24', '2025-12-24')],
    ])
      expect(expectedOn({ ...evenings, closures }, dates)).toEqual(expected);
    const forGood = [closed('2025-12-24', null)];
    expect(expectedOn({ ...evenings, closures: forGood }, dates)).toEqual([all, NIGHT, 0, 0, 0]);
  });

  test.each([
    ['Europe/Berlin', '2026-03-29', [2]],
    ['America/New_York', '2026-03-08', [2]],
    ['America/Sao_Paulo', '2018-11-04', [0]],
    ['Asia/Beirut', '2026-03-29', [0]],
    ['Australia/Lord_Howe', '2026-10-04', []], // the half of hour 2 is there
    ['Europe/Berlin', '2026-10-25', []], // hour 2 is there twice
    ['Pacific/Apia', '2011-12-30', listHours(ALL_HOURS)],
    ['Asia/Singapore', '2026-03-29', []],
    ['Europe/Berlin', '0001-01-01', []],
    ['Europe/Berlin', '9999-12-31', []],
  ])('leaves out the hours that the clock of %s skips on %s: %j', (timeZone, date, skipped) => {
    const changes = { firstDay: '0001-01-01' };
    const [expected] = expectedOn(changes, [date], timeZone);
    expect(listHours(ALL_HOURS & ~expected!)).toEqual(skipped);
    const [dayBefore, dayAfter] = expectedOn(changes, ['2026-03-27', '2026-03-31'], timeZone);
    expect([dayBefore, dayAfter]).toEqual([ALL_HOURS, ALL_HOURS]);
  });
});

describe('The evenings of some weekdays are set', () => {
  const set = (before: string[], text: string, weekdays: number[]): string => {
    const weeklyHours = before.map((hours) => parseHours(hours)!);
    const nights = weeklyHours.map((hours) => ((hours & EVENING) === EVENING ? hours & NIGHT : 0));
    return formatWeek(withEvening({ weeklyHours, nights }, parseEvening(text)!, weekdays));
  };
  const always = Array<string>(7).fill('18:00-24:00,00:00-02:00');

  test.each<[string, string[], string, number[], string]>([
    [
      'with their nights on the next day',
      Array<string>(7).fill('11:00-14:00'),
      '18:00-02:00',
      [5, 6],
      'Mon-Thu 11:00-14:00; Fri 18:00-24:00; Sat 18:00-24:00,00:00-02:00; Sun 00:00-02:00,11:00-14:00',
    ],
    [
      'and the night from another evening stays',
      always,
      '20:00-04:00',
      [5],
      'Mon-Thu 18:00-24:00,00:00-02:00; Fri 20:00-24:00,00:00-02:00; ' +
        'Sat 18:00-24:00,00:00-04:00; Sun 18:00-24:00,00:00-02:00',
    ],
    [
      'none: the night after it goes too',
      always,
      'none',
      [7],
      'Mon 18:00-24:00; Tue-Sat 18:00-24:00,00:00-02:00; Sun 00:00-02:00',
    ],
    [
      'all of them: nothing stays',
      always,
      '11:00-22:00',
      [1, 2, 3, 4, 5, 6, 7],
      'Mon-Sun 11:00-22:00',
    ],
    [
      'as hours of each calendar day',
      Array<string>(7).fill('none'),
      '18:00-24:00,00:00-02:00',
      [5],
      'Mon-Thu off; Fri 18:00-24:00,00:00-02:00; Sat-Sun off',
    ],
  ])('%s', (_what, before, text, weekdays, after) => {
    expect(set(before, text, weekdays)).toBe(after);
  });
});

describe('A set of hours', () => {
  test.each([
    ['11:00-14:00', [11, 12, 13], '11:00-14:00'],
    ['9:00-10:00', [9], '09:00-10:00'],
    ['18:00-24:00,00:00-02:00', [0, 1, 18, 19, 20, 21, 22, 23], '18:00-24:00,00:00-02:00'],
    [
      '00:00-02:00, 11:00-12:00, 23:00-24:00',
      [0, 1, 11, 23],
      '11:00-12:00,23:00-24:00,00:00-02:00',
    ],
    ['11:00-13:00,12:00-14:00', [11, 12, 13], '11:00-14:00'],
    ['00:00-24:00', Array.from({ length: 24 }, (_, hour) => hour), '00:00-24:00'],
    ['none', [], ''],
  ])('%s is read and written', (text, hours, written) => {
    const set = parseHours(text)!;
    expect(listHours(set)).toEqual(hours);
    expect(countHours(set)).toBe(hours.length);
    expect(formatHours(set)).toBe(written);
  });

  test('of an evening past midnight has hours of two days', () => {
    const evening = parseEvening('11:00-14:00,18:00-02:00');
    expect(evening).toEqual({ hours: LUNCH | EVENING, nextDay: NIGHT });
  });

  test.each([
    '',
    '11:30-22:00',
    '18:00-02:00',
    '18:00-00:00',
    '11:00-11:00',
    '11:00-25:00',
    '25:00-02:00',
    '11-22',
    'all',
    '11:00-14:00,',
    '-1:00-2:00',
  ])('%j is none', (text) => expect(parseHours(text)).toBeUndefined());

  test('has one bit per hour', () => expect(LUNCH).toBe(0b11_1000_0000_0000));
});
