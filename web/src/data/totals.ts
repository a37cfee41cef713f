import { MAX_NAMED_RESTAURANTS, REPORT_LIMITS } from '../../../src/sales/reports/report-limits.js';
import { read } from '../api/service.js';
import type {
  DaySums,
  HourSums,
  RestaurantSums,
  Sums,
  TotalsResponse,
  WeekdayHourSums,
} from '../api/shapes.js';
import { addDays, countDays, type DateRange } from '../dates.js';
import { SumOfLines } from './sum.js';

/** The restaurants with the ids, or all `count` restaurants of the account if there are none. */
export interface Group {
  readonly ids: readonly string[];
  readonly count: number;
}

interface Grouping<Line> {
  readonly groupBy: string;
  readonly limit: { readonly days: number; readonly restaurantDays: number };
  readonly linesOf: (response: TotalsResponse) => readonly Line[] | undefined;
  /** What tells two lines apart. */
  readonly keyOf: (line: Line) => string;
}

export const BY_DATE: Grouping<DaySums> = {
  groupBy: 'date',
  limit: REPORT_LIMITS.totals,
  linesOf: ({ days }) => days,
  keyOf: ({ date }) => date,
};

export const BY_RESTAURANT: Grouping<RestaurantSums> = {
  groupBy: 'restaurant',
  limit: REPORT_LIMITS.totals,
  linesOf: ({ restaurants }) => restaurants,
  keyOf: ({ restaurant_id: id }) => id,
};

export const BY_HOUR: Grouping<HourSums> = {
  groupBy: 'hour',
  limit: REPORT_LIMITS.hourlyTotals,
  linesOf: ({ hours }) => hours,
  keyOf: ({ hour }) => hour,
};

export const BY_WEEKDAY_AND_HOUR: Grouping<WeekdayHourSums> = {
  groupBy: 'weekday_hour',
  limit: REPORT_LIMITS.hourlyTotals,
  linesOf: ({ weekday_hours: hours }) => hours,
  keyOf: ({ weekday, hour }) => `${weekday} ${hour}`,
};

/**
 * Reads totals in as many requests as the limits of the service ask for, and adds up the lines of
 * these. Each response is read in a turn of its own, so that none blocks the browser.
 */
export async function readTotals<Line extends Sums>(
  { groupBy, limit, linesOf, keyOf }: Grouping<Line>,
  range: DateRange,
  group: Group,
  signal: AbortSignal,
): Promise<Line[]> {
  const sums = new Map<string, SumOfLines<Line>>();
  for (const ids of chunksOf(group.ids)) {
    for (const part of partsOf(range, ids.length || group.count, limit)) {
      const chosen = ids.length > 0 ? { restaurant_id: ids.join() } : {};
      const query = { ...part, group_by: groupBy, ...chosen };
      const response = await read<TotalsResponse>('/api/v1/sales/totals', query, { signal });
      for (const line of linesOf(response) ?? []) {
        const sum = sums.get(keyOf(line));
        if (sum) sum.add(line);
        else sums.set(keyOf(line), new SumOfLines(line));
      }
    }
  }
  return [...sums.values()].map((sum) => sum.line);
}

/** One empty chunk stands for all restaurants. */
function chunksOf(ids: readonly string[]): string[][] {
  const size = MAX_NAMED_RESTAURANTS;
  const count = Math.max(Math.ceil(ids.length / size), 1);
  return Array.from({ length: count }, (_, index) => ids.slice(index * size, (index + 1) * size));
}

/** Splits a range into parts that the service takes in one request. */
export function partsOf(
  range: DateRange,
  restaurants: number,
  { days, restaurantDays }: Grouping<Sums>['limit'],
): DateRange[] {
  const size = Math.min(days, Math.floor(restaurantDays / Math.max(restaurants, 1)) || 1);
  const count = Math.ceil(countDays(range) / size);
  return Array.from({ length: count }, (_, index) => {
    const from = addDays(range.from, index * size);
    const to = addDays(from, size - 1);
    return { from, to: to < range.to ? to : range.to };
  });
}

/** Adds up lines of any grouping. */
export function sumOf(lines: readonly Sums[]): Sums {
  const [first, ...others] = lines;
  if (!first) return { hours: '0', expected_hours: '0', missing_hours: '0', totals: {} };
  const sum = new SumOfLines<Sums>(first);
  for (const line of others) sum.add(line);
  return sum.line;
}
