import { addDays, addMonths, countDays, type DateRange, isDate, isoWeekday } from '../dates.js';

export const MAX_RANGE_DAYS = 366;

/** The periods that have a name; each is made of complete days where there is one. */
export const PERIODS = {
  yesterday: 'Yesterday',
  'last-7': 'Last 7 days',
  'last-28': 'Last 4 weeks',
  'last-week': 'Last week',
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-year': 'This year',
  'last-365': 'Last 365 days',
} as const;

export type Period = keyof typeof PERIODS;

export const isPeriod = (name: string | null): name is Period =>
  name !== null && Object.hasOwn(PERIODS, name);

/** Returns the days of a named period. A week begins on Monday; what has begun ends on `end`. */
export function rangeOfPeriod(period: Period, today: string, end = addDays(today, -1)): DateRange {
  const yesterday = addDays(today, -1);
  const monthStart = `${today.slice(0, 8)}01`;
  const monday = addDays(today, 1 - isoWeekday(today));
  const last = (days: number): DateRange => ({ from: addDays(end, 1 - days), to: end });
  const soFar = (from: string): DateRange => ({ from, to: end < from ? today : end });
  const ranges: Readonly<Record<Period, DateRange>> = {
    yesterday: { from: yesterday, to: yesterday },
    'last-7': last(7),
    'last-28': last(28),
    'last-365': last(365),
    'last-week': { from: addDays(monday, -7), to: addDays(monday, -1) },
    'this-month': soFar(monthStart),
    'last-month': { from: addMonths(monthStart, -1), to: addDays(monthStart, -1) },
    'this-year': soFar(`${today.slice(0, 4)}-01-01`),
  };
  return ranges[period];
}

/** How often days are loaded again: those of this week may still change by themselves. */
export function refreshMs(range: DateRange, today: string): number | undefined {
  if (range.to < addDays(today, -7)) return undefined;
  // Long periods hardly change within a minute, and cost the service more.
  return countDays(range) <= 35 ? 60_000 : 600_000;
}

/** What a period can be compared with. */
export const COMPARISONS = {
  weeks: 'same weekdays before',
  before: 'the period before',
  year: 'same weekdays last year',
  dates: 'same dates last year',
  none: 'nothing',
} as const;

export type Comparison = keyof typeof COMPARISONS;

/** A month is compared with the month before, and any other days with the same weekdays before. */
export const usualComparison = (range: DateRange): Comparison =>
  isOfOneMonth(range) ? 'before' : 'weeks';

/** Returns the days that a period is compared with; as many days, except for whole months. */
export function rangeBefore(range: DateRange, comparison: Comparison): DateRange | undefined {
  const days = countDays(range);
  const shifted = (by: number): DateRange => ({
    from: addDays(range.from, -by),
    to: addDays(range.to, -by),
  });
  switch (comparison) {
    case 'weeks':
      return shifted(Math.ceil(days / 7) * 7);
    case 'year':
      return shifted(364);
    case 'dates':
      return monthsBefore(range, 12);
    case 'before':
      return isOfOneMonth(range) ? monthsBefore(range, 1) : shifted(days);
    default:
      return undefined;
  }
}

/** Whether a range is a month, or its first days. */
const isOfOneMonth = ({ from, to }: DateRange): boolean =>
  from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7) && from !== to;

/** The end of a month stays the end of a month. */
function monthsBefore({ from, to }: DateRange, months: number): DateRange {
  const isWhole = addDays(to, 1).endsWith('-01');
  const end = addMonths(`${to.slice(0, 8)}01`, 1 - months);
  return {
    from: addMonths(from, -months),
    to: isWhole ? addDays(end, -1) : addMonths(to, -months),
  };
}

/** Says in words why two days are not a range that can be shown. */
export function problemOf({ from, to }: DateRange): string | undefined {
  if (!isDate(from) || !isDate(to)) return 'Choose a first and a last day that exist.';
  if (from > to) return 'The first day is after the last one.';
  if (countDays({ from, to }) > MAX_RANGE_DAYS)
    return `Choose at most ${MAX_RANGE_DAYS} days; these are ${countDays({ from, to })}.`;
  return undefined;
}
