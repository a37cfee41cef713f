import { addDays, addMonths, countDays, type DateRange, isDate, isoWeekday } from '../dates.js';

export const MAX_RANGE_DAYS = 366;

/** The periods that have a name; each is made of complete days where there is one. */
export const PERIODS = {
  yesterday: 'Yesterday',
  'last-7': 'Last 7 days',
  'last-28': 'Last 28 days',
  'last-week': 'Last week',
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-year': 'This year',
  'last-365': 'Last 365 days',
} as const;

export type Period = keyof typeof PERIODS;

/** The period that a view shows where its address names none. */
export const USUAL_PERIODS = {
  '': 'yesterday',
  sales: 'last-28',
  changes: 'last-365',
} as const satisfies Readonly<Record<string, Period>>;

export type PeriodView = keyof typeof USUAL_PERIODS;

export const isPeriod = (name: string | null): name is Period =>
  name !== null && Object.hasOwn(PERIODS, name);

/** Returns the days of a named period. A week begins on Monday; what has begun ends yesterday. */
export function rangeOfPeriod(period: Period, today: string): DateRange {
  const yesterday = addDays(today, -1);
  const monthStart = `${today.slice(0, 8)}01`;
  const monday = addDays(today, 1 - isoWeekday(today));
  const soFar = (from: string): DateRange => ({ from, to: yesterday < from ? today : yesterday });
  switch (period) {
    case 'yesterday':
      return { from: yesterday, to: yesterday };
    case 'last-7':
      return { from: addDays(today, -7), to: yesterday };
    case 'last-28':
      return { from: addDays(today, -28), to: yesterday };
    case 'last-365':
      return { from: addDays(today, -365), to: yesterday };
    case 'last-week':
      return { from: addDays(monday, -7), to: addDays(monday, -1) };
    case 'this-month':
      return soFar(monthStart);
    case 'last-month':
      return { from: addMonths(monthStart, -1), to: addDays(monthStart, -1) };
    case 'this-year':
      return soFar(`${today.slice(0, 4)}-01-01`);
  }
}

/** What a period can be compared with. */
export const COMPARISONS = {
  weeks: 'same weekdays before',
  before: 'the period before',
  year: 'same weekdays last year',
  none: 'nothing',
} as const;

export type Comparison = keyof typeof COMPARISONS;

/** Returns the days that a period is compared with; as many days, except for whole months. */
export function rangeBefore(range: DateRange, comparison: Comparison): DateRange | undefined {
  const days = countDays(range);
  const shifted = (by: number): DateRange => ({
    from: addDays(range.from, -by),
    to: addDays(range.to, -by),
  });
  switch (comparison) {
    case 'none':
      return undefined;
    case 'weeks':
      return shifted(Math.ceil(days / 7) * 7);
    case 'year':
      return shifted(364);
    case 'before':
      return isFromFirstOfMonth(range) ? monthBefore(range) : shifted(days);
  }
}

const isFromFirstOfMonth = ({ from, to }: DateRange): boolean =>
  from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7);

/** A whole month is compared with the whole month before, the days of a month with its days. */
function monthBefore({ from, to }: DateRange): DateRange {
  const isWhole = addDays(to, 1).endsWith('-01');
  const start = addMonths(from, -1);
  return { from: start, to: isWhole ? addDays(from, -1) : addMonths(to, -1) };
}

/** What a view is about, as its address says. */
export interface Selection {
  readonly range: DateRange;
  readonly period: Period | undefined;
  readonly comparison: Comparison;
  readonly before: DateRange | undefined;
  /** The restaurants' identifiers; none if the view is about all of them. */
  readonly ids: readonly string[];
  /** Identifiers of the address that this account may not see. */
  readonly unknown: readonly string[];
  /** Whether the address names restaurants, and none of them may be seen. */
  readonly isEmpty: boolean;
  /** Why the range cannot be shown, in words. */
  readonly problem: string | undefined;
}

/** Reads the selection of an address. */
export function selectionOf(
  query: URLSearchParams,
  { today, known }: { today: string; known: Pick<ReadonlySet<string>, 'has'> },
  view: PeriodView,
): Selection {
  const usual = USUAL_PERIODS[view];
  const [from, to, named] = [query.get('from'), query.get('to'), query.get('period')];
  const isOwn = from !== null || to !== null;
  const period = isOwn ? undefined : isPeriod(named) ? named : usual;
  const own = { from: from ?? to ?? '', to: to ?? from ?? '' };
  const problem = period ? undefined : problemOf(own);
  const fallback = rangeOfPeriod(period ?? usual, today);
  const range = problem === undefined && !period ? own : fallback;
  const asked = query.get('compare') ?? '';
  const comparison = (asked in COMPARISONS ? asked : 'weeks') as Comparison;
  const chosen = [...new Set((query.get('restaurants') ?? '').split(',').filter(Boolean))];
  const ids = chosen.filter((id) => known.has(id));
  return {
    range,
    period,
    comparison,
    before: rangeBefore(range, comparison),
    ids,
    unknown: chosen.filter((id) => !known.has(id)),
    isEmpty: chosen.length > 0 && ids.length === 0,
    problem,
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
