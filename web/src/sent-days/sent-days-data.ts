import { readPages } from '../api/service.js';
import type { CalendarResponse, CalendarRow } from '../api/shapes.js';
import { addDays, type DateRange, daysOf } from '../dates.js';

/** The state that each letter of the calendar means, with the sign that the page shows for it. */
export const STATES: Readonly<Record<string, readonly [label: string, sign: string]>> = {
  C: ['complete', '✓'],
  P: ['partial', '◐'],
  M: ['missing', '✕'],
  X: ['closed', ''],
  T: ['today', '…'],
  F: ['upcoming', ''],
};

/** Returns the range of the five weeks up to a day. */
export const weeksUntil = (to: string): DateRange => ({ from: addDays(to, -34), to });

/** Which restaurants have sent which days; those with the most incomplete days come first. */
export interface SentDays {
  readonly days: readonly string[];
  readonly today: string;
  readonly rows: readonly CalendarRow[];
}

export async function loadSentDays(range: DateRange, signal: AbortSignal): Promise<SentDays> {
  const path = '/api/v1/sales/calendar';
  const options = { signal, parse: JSON.parse };
  const pages = await readPages<CalendarResponse>(path, { ...range }, options);
  const rows = pages.flatMap(({ restaurants }) =>
    restaurants.map((row) => ({ ...row, restaurant_id: String(row.restaurant_id) })),
  );
  const gaps = new Map(rows.map((row) => [row, row.days.replace(/[^MP]/g, '').length]));
  return {
    days: daysOf(range.from, range.to),
    today: pages[0]!.today,
    rows: rows.sort((one, other) => gaps.get(other)! - gaps.get(one)!),
  };
}
