import { addDecimals } from '../amounts.js';
import type { components } from '../api/schema.js';
import { get, type Exact } from '../api/service.js';
import { loadCalendar } from '../calendar/calendar-data.js';
import { addDays, daysOf, type DateRange } from '../dates.js';
import type { Figures } from '../fields.js';

type Response = Exact<components['schemas']['TotalsResponse']>;
export type DayTotals = NonNullable<Response['days']>[number];
type RestaurantTotals = NonNullable<Response['restaurants']>[number];
export type Totals = DayTotals['totals'];

/** Limits of the service for one request. */
const MAX_DAYS = 62;
const MAX_RESTAURANT_DAYS = 40_000;
const WEEK = 7;

/** A range, and how many restaurants it concerns: those with the ids, or all if there are none. */
interface TotalsOf extends DateRange {
  readonly ids: readonly string[];
  readonly count: number;
}

export async function totalsByDay(of: TotalsOf): Promise<DayTotals[]> {
  return (await readTotals(of, 'date')).flatMap(({ days = [] }) => days);
}

/** Reads the totals of each restaurant; each part of the range has the same ones, by id. */
async function totalsByRestaurant(of: TotalsOf): Promise<RestaurantTotals[]> {
  const parts = (await readTotals(of, 'restaurant')).map(({ restaurants = [] }) => restaurants);
  return (parts[0] ?? []).map((first, index) => ({
    ...first,
    ...sumOf(parts.flatMap((part) => part[index] ?? [])),
  }));
}

/** Reads totals in as many requests as a long range needs. */
async function readTotals(of: TotalsOf, group_by: 'date' | 'restaurant'): Promise<Response[]> {
  const size = Math.min(MAX_DAYS, Math.floor(MAX_RESTAURANT_DAYS / Math.max(of.count, 1)) || 1);
  const chosen = of.ids.length > 0 ? { restaurant_id: of.ids.join() } : {};
  const responses: Response[] = [];
  for (const part of partsOf(of, size)) {
    responses.push(await get('/api/v1/sales/totals', { ...part, ...chosen, group_by }));
  }
  return responses;
}

function partsOf({ from, to }: DateRange, size = MAX_DAYS): DateRange[] {
  const starts = daysOf(from, to).filter((_day, index) => index % size === 0);
  return starts.map((start) => {
    const end = addDays(start, size - 1);
    return { from: start, to: end < to ? end : to };
  });
}

type Sum = Pick<DayTotals, 'hours' | 'totals'>;

/** Adds up hours and figures, field by field. */
export function sumOf(rows: readonly Sum[]): Sum {
  const all = rows.map(({ totals }): Figures => totals);
  const fields = Object.keys(all[0] ?? {});
  const sums = fields.map((field) => [field, addDecimals(all.map((row) => row[field] ?? '0'))]);
  const hours = addDecimals(rows.map((row) => row.hours));
  return { hours, totals: Object.fromEntries(sums) as Totals };
}

/** Reads totals, and for comparison those of as many whole weeks before. */
export async function loadRange(of: TotalsOf) {
  const shift = -Math.ceil(daysOf(of.from, of.to).length / WEEK) * WEEK;
  const past = { from: addDays(of.from, shift), to: addDays(of.to, shift) };
  const [days, now, before, hoursOf] = await Promise.all([
    totalsByDay({ ...of, from: addDays(of.from, -WEEK) }),
    totalsByRestaurant(of),
    totalsByRestaurant({ ...of, ...past }),
    openHours({ from: past.from, to: of.to }, of.ids),
  ]);
  return {
    days: days.slice(WEEK).map((day, index) => {
      const then = days[index]!;
      const hoursOn = ({ date }: DayTotals): number => hoursOf({ from: date, to: date });
      return compare(day, then, hoursOn(day), hoursOn(then));
    }),
    restaurants: now.map((row, index) => {
      const id = row.restaurant_id;
      return compare(row, before[index]!, hoursOf(of, id), hoursOf(past, id));
    }),
  };
}

/** Puts totals beside earlier ones; both have sent at least `sentShare` of the expected hours. */
export function compare<Row extends Sum>(
  now: Row,
  before: Row,
  expected: number,
  expectedBefore: number,
) {
  const sentShare = Math.min(
    sentShareOf(now.hours, expected),
    sentShareOf(before.hours, expectedBefore),
  );
  return { now, before, expected, expectedBefore, sentShare };
}

/** Returns 1 where no hour is expected, as all restaurants were closed. */
function sentShareOf(hours: string, expected: number): number {
  return expected > 0 ? Number(hours) / expected : 1;
}

export type Compared = ReturnType<typeof compare<Sum>>;

/** Returns a function that counts open hours in a part of the range, of one restaurant or all. */
async function openHours(range: DateRange, ids: readonly string[]) {
  const letters = new Map<string, string>();
  for (const part of partsOf(range)) {
    for (const { restaurant_id, days } of (await loadCalendar(part, ids)).rows) {
      letters.set(restaurant_id, (letters.get(restaurant_id) ?? '') + days);
    }
  }
  const at = (date: string): number => daysOf(range.from, date).length - 1;
  return ({ from, to }: DateRange, id?: string): number => {
    const rows = id === undefined ? [...letters.values()] : [letters.get(id) ?? ''];
    const inRange = rows.map((row) => row.slice(at(from), at(to) + 1)).join('');
    return inRange.replaceAll('X', '').length * 24;
  };
}
