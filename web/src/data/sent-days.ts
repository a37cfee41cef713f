import { readPages } from '../api/service.js';
import type { CalendarResponse, CalendarRow, MissingResponse } from '../api/shapes.js';
import { addDays, countDays, type DateRange, daysOf } from '../dates.js';

/** The state that each letter of the calendar means, with the sign that the page shows for it. */
export const STATES: Readonly<Record<string, readonly [label: string, sign: string]>> = {
  C: ['complete', '✓'],
  P: ['partial', '◐'],
  M: ['missing', '✕'],
  X: ['closed', ''],
  T: ['today', '…'],
  F: ['to come', ''],
};

/** Returns the range of the five weeks up to a day. */
export const weeksUntil = (to: string): DateRange => ({ from: addDays(to, -34), to });

export interface SentDays {
  readonly days: readonly string[];
  readonly today: string;
  readonly rows: readonly CalendarRow[];
}

/** Reads which days of a range the restaurants have sent. */
export async function loadSentDays(range: DateRange, signal: AbortSignal): Promise<SentDays> {
  const path = '/api/v1/sales/calendar';
  const options = { signal, parse: JSON.parse };
  const pages = await readPages<CalendarResponse>(path, { ...range }, options);
  return {
    days: daysOf(range.from, range.to),
    today: pages[0]!.today,
    rows: pages.flatMap(({ restaurants }) => restaurants.map(toRow)),
  };
}

const toRow = (row: CalendarResponse['restaurants'][number]): CalendarRow => {
  return { ...row, last_sent: row.last_sent ?? null, restaurant_id: String(row.restaurant_id) };
};

/** Reads the hours of a day that are missing, by restaurant. */
export async function loadMissingHours(date: string): Promise<ReadonlyMap<string, string[]>> {
  const range = { from: date, to: date };
  const pages = await readPages<MissingResponse>('/api/v1/sales/missing', range);
  const days = pages.flatMap(({ missing }) => missing);
  return new Map(days.map((day) => [day.restaurant_id, [...day.missing_hours]]));
}

/** Sorts the restaurants by what they have sent for a day. */
export function statesOf({ rows, days }: SentDays, date: string) {
  const at = days.indexOf(date);
  const having = (letters: string) => rows.filter((row) => letters.includes(row.days[at] ?? '?'));
  const expected = rows.filter((row) => (row.expected_hours[at] ?? 1) > 0);
  return { date, expected: expected.length, missing: having('M'), partial: having('P') };
}

/** Finds rows by name or number; `only` keeps those that are incomplete on a date, or on any day. */
export function filterRows(
  { rows, days }: SentDays,
  { text, only, date }: { text: string; only: string; date: string },
): readonly CalendarRow[] {
  const at = days.indexOf(date);
  return rows.filter(
    (row) =>
      isFound(row, text) &&
      (only === '' || /[MP]/.test(only === 'day' ? (row.days[at] ?? '') : row.days)),
  );
}

/**
 * Says whether a restaurant has a number, or a name with a text in it, whatever its accents are; or
 * whether each word of the text is its number or begins a word of its name.
 */
export function isFound(
  { restaurant_id: id, name }: { restaurant_id: string; name: string },
  text: string,
): boolean {
  const wanted = plain(text.trim());
  const words = ` ${plain(name)}`;
  return (
    words.includes(wanted) ||
    wanted.split(/\s+/).every((word) => word === id || words.includes(` ${word}`))
  );
}

const plainTexts = new Map<string, string>();

/** Removes case and accents; a filter asks for the same names with each key. */
function plain(text: string): string {
  const known = plainTexts.get(text);
  if (known !== undefined) return known;
  const made = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  plainTexts.set(text, made);
  return made;
}

/** Says since when a restaurant is missing, and when it last sent. */
export function sinceOf(row: CalendarRow, { days }: SentDays, date: string) {
  const last = row.last_sent;
  const after = last === null ? row.first_day : addDays(last, 1);
  const from = days.indexOf(after);
  const inRange = row.days.slice(Math.max(from, 0), days.indexOf(date) + 1);
  const missing = inRange.replaceAll(/[^MP]/g, '').length;
  const isLonger = from < 0 && after < days[0]! && countDays({ from: after, to: days[0]! }) > 1;
  return { last, missing, isLonger };
}

/** Writes hours as ranges: `18:00 to 21:00, 23:00 to 24:00`. */
export function hoursText(hours: readonly (string | number)[]): string {
  const sorted = hours.map(Number).sort((one, other) => one - other);
  const ranges: [from: number, to: number][] = [];
  for (const hour of sorted) {
    const open = ranges.at(-1);
    if (open?.[1] === hour) open[1] = hour + 1;
    else ranges.push([hour, hour + 1]);
  }
  const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
  return ranges.map(([from, to]) => `${clock(from)} to ${clock(to)}`).join(', ');
}
