import type { components } from '../api/schema.js';
import { get, getPages, type Exact } from '../api/service.js';
import { addDays, daysOf, type DateRange } from '../dates.js';

export type CalendarRow = Exact<components['schemas']['CalendarRestaurant']>;

/** The state that each letter of the calendar means, with the sign that the page shows for it. */
export const STATES: Readonly<Record<string, readonly [label: string, sign: string]>> = {
  C: ['complete', '✓'],
  P: ['partial', '◐'],
  M: ['missing', '✕'],
  X: ['closed', '–'],
  T: ['today', '…'],
  F: ['to come', ''],
};

/** Returns the range of the five weeks up to a day. */
export const weeksUntil = (to: string): DateRange => ({ from: addDays(to, -34), to });

/** Reads the calendar of restaurants, of all if none is given. */
export async function loadCalendar(range: DateRange, ids: readonly string[] = []) {
  const chosen = ids.length > 0 ? { restaurant_id: ids.join() } : {};
  const pages = await getPages('/api/v1/sales/calendar', { ...range, ...chosen });
  const rows = pages.flatMap(({ restaurants }) => restaurants);
  return { days: daysOf(range.from, range.to), today: pages[0]!.today, rows };
}

export type Calendar = Awaited<ReturnType<typeof loadCalendar>>;

/** Reads how many hours of a day each restaurant has sent, for those that have not sent all. */
export async function loadHours(date: string): Promise<ReadonlyMap<string, number>> {
  const { missing } = await get('/api/v1/sales/missing', { from: date, to: date });
  return new Map(missing.map((day) => [day.restaurant_id, 24 - day.missing_hours.length]));
}

/** Finds rows by name; `only` keeps those that are incomplete on a date, or on any day. */
export function filterRows({ rows, days }: Calendar, text: string, only: string, date: string) {
  const wanted = plain(text.trim());
  const at = days.indexOf(date);
  return rows.filter(
    ({ name, restaurant_id, days: letters }) =>
      (plain(name).includes(wanted) || restaurant_id === wanted) &&
      (only === '' || /[MP]/.test(only === 'day' ? (letters[at] ?? '') : letters)),
  );
}

/** Removes case and accents. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Sorts the restaurants by what they have sent for a day. */
export function statesOf({ rows, days, today }: Calendar, date: string) {
  const at = days.indexOf(date);
  const having = (letters: string) => rows.filter((row) => letters.includes(row.days[at] ?? '?'));
  return {
    date,
    isYesterday: date === addDays(today, -1),
    open: rows.length - having('X').length,
    sent: having('CP').length,
    missing: having('M'),
    partial: having('P'),
  };
}

export type DayStates = ReturnType<typeof statesOf>;
