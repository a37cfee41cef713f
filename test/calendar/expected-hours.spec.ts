import { closureOn, expectedHours, type Schedule } from '../../src/calendar/expected-hours.js';
import {
  ALL_HOURS,
  countHours,
  formatHours,
  listHours,
  parseHours,
} from '../../src/calendar/hour-set.js';

const LUNCH = parseHours('11:00-14:00')!;

describe('What is expected of a restaurant on a date', () => {
  const everyDay = (hours: number): number[] => Array<number>(7).fill(hours);
  const schedule = (changes: Partial<Schedule>): Schedule => ({
    firstDay: '2025-10-15',
    weeklyHours: everyDay(ALL_HOURS),
    closures: [],
    ...changes,
  });

  test('is nothing before the first day, and the hours of the weekday from it on', () => {
    const weeklyHours = [1, 2, 4, 8, 16, 32, 64];
    const dates = ['2025-10-14', '2025-10-15', '2025-10-18', '2025-10-19', '2025-10-20'];
    const expected = dates.map((date) => expectedHours(schedule({ weeklyHours }), date));
    expect(expected).toEqual([0, 4, 32, 64, 1]); // 15 October 2025 is a Wednesday
  });

  test('is nothing on a closure, whose ends are closed days; one without an end goes on', () => {
    const holiday = { firstDay: '2025-12-24', lastDay: '2025-12-26', reason: 'Christmas' };
    const forGood = { firstDay: '2026-03-01', lastDay: null, reason: null };
    const closed = schedule({ closures: [holiday, forGood] });
    const dates = ['12-23', '12-24', '12-26', '12-27'].map((day) => `2025-${day}`);
    expect(dates.map((date) => expectedHours(closed, date))).toEqual([ALL_HOURS, 0, 0, ALL_HOURS]);
    expect(
      ['2026-02-28', '2026-03-01', '9999-12-31'].map((date) => closureOn(closed, date)),
    ).toEqual([undefined, forGood, forGood]);
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

  test.each([
    '',
    '11:30-22:00',
    '18:00-02:00',
    '11:00-11:00',
    '11:00-25:00',
    '11-22',
    'all',
    '11:00-14:00,',
    '-1:00-2:00',
  ])('%j is none', (text) => expect(parseHours(text)).toBeUndefined());

  test('has one bit per hour', () => expect(LUNCH).toBe(0b11_1000_0000_0000));
});
