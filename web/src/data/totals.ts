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

/** Limits of the service for one request. */
const MAX_DAYS = 62;
const MAX_IDS = 100;
const MAX_RESTAURANT_DAYS = 40_000;

/** The restaurants with the ids, or all `count` restaurants of the account if there are none. */
export interface Group {
  readonly ids: readonly string[];
  readonly count: number;
}

/** How lines are grouped, the list that the response has, and what tells two lines apart. */
const GROUPINGS = {
  date: ['days', (line: DaySums) => line.date],
  restaurant: ['restaurants', (line: RestaurantSums) => line.restaurant_id],
  hour: ['hours', (line: HourSums) => line.hour],
  weekday_hour: ['weekday_hours', (line: WeekdayHourSums) => `${line.weekday} ${line.hour}`],
} as const;

interface Lines {
  readonly date: DaySums;
  readonly restaurant: RestaurantSums;
  readonly hour: HourSums;
  readonly weekday_hour: WeekdayHourSums;
}

/**
 * Reads totals in as many requests as the limits of the service ask for, and adds up the lines of
 * these. Each response is added in a turn of its own, so that none blocks the browser.
 */
export async function readTotals<By extends keyof Lines>(
  by: By,
  range: DateRange,
  group: Group,
): Promise<Lines[By][]> {
  const [list, keyOf] = GROUPINGS[by] as unknown as [
    keyof TotalsResponse,
    (line: Lines[By]) => string,
  ];
  const sums = new Map<string, SumOfLines<Lines[By]>>();
  for (const ids of chunksOf(group.ids)) {
    for (const part of partsOf(range, ids.length || group.count)) {
      const query = { ...part, group_by: by, ...(ids.length > 0 && { restaurant_id: ids.join() }) };
      const response = await read<TotalsResponse>('/api/v1/sales/totals', query);
      for (const line of (response[list] ?? []) as unknown as Lines[By][]) {
        const key = keyOf(line);
        const sum = sums.get(key);
        if (sum) sum.add(line);
        else sums.set(key, new SumOfLines(line));
      }
    }
  }
  return [...sums.values()].map((sum) => sum.line);
}

/** One empty chunk stands for all restaurants. */
function chunksOf(ids: readonly string[]): string[][] {
  const starts = ids.filter((_id, index) => index % MAX_IDS === 0);
  if (starts.length === 0) return [[]];
  return starts.map((_start, index) => ids.slice(index * MAX_IDS, (index + 1) * MAX_IDS));
}

function partsOf(range: DateRange, restaurants: number): DateRange[] {
  const size = Math.min(MAX_DAYS, Math.floor(MAX_RESTAURANT_DAYS / Math.max(restaurants, 1)) || 1);
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
