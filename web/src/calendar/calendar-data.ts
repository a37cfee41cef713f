import type { components } from '../api/schema.js';
import { api, unwrap } from '../api/session.js';
import { addDays, today } from '../dates.js';

export type CalendarRow = components['schemas']['CalendarRestaurant'];

interface State {
  readonly label: string;
  readonly symbol: string;
}

/** The letters of the calendar; each state has a shape besides its colour. */
export const STATES: Readonly<Record<string, State>> = {
  C: { label: 'complete', symbol: '✓' },
  P: { label: 'partial', symbol: '◐' },
  M: { label: 'missing', symbol: '✕' },
  Z: { label: 'zero day', symbol: '∅' },
  X: { label: 'closed', symbol: '–' },
  T: { label: 'today', symbol: '…' },
  F: { label: 'to come', symbol: '' },
};

const WEEKS = 5;

/** The five weeks up to a day. */
export function rangeUntil(to: string): { readonly from: string; readonly to: string } {
  return { from: addDays(to, 1 - WEEKS * 7), to };
}

/** The same day of another month, or its last one. */
export function addMonths(date: string, months: number): string {
  const moved = new Date(`${date.slice(0, 7)}-01T00:00:00Z`);
  moved.setUTCMonth(moved.getUTCMonth() + months + 1, 0); // the month's last day
  const last = moved.toISOString().slice(0, 10);
  const same = `${last.slice(0, 8)}${date.slice(8)}`;
  return same < last ? same : last;
}

export async function loadCalendar(from: string, to: string): Promise<CalendarRow[]> {
  const rows: CalendarRow[] = [];
  for (let after: number | undefined; ;) {
    const query = { from, to, ...(after === undefined ? {} : { after }) };
    const page: { restaurants: CalendarRow[]; next?: number | null } = unwrap(
      await api.GET('/api/v1/sales/calendar', { params: { query } }),
    );
    rows.push(...page.restaurants);
    if (!page.next) return rows;
    after = page.next;
  }
}

export interface Filter {
  readonly text: string;
  readonly onlyIncomplete: boolean;
}

export function filterRows(rows: readonly CalendarRow[], { text, onlyIncomplete }: Filter): readonly CalendarRow[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(
    ({ name, restaurant_id, days }) =>
      (name.toLowerCase().includes(wanted) || String(restaurant_id) === wanted) &&
      (!onlyIncomplete || /[MP]/.test(days)),
  );
}

export interface Summary {
  readonly date: string;
  readonly isYesterday: boolean;
  readonly missing: readonly CalendarRow[];
  readonly partial: readonly CalendarRow[];
  readonly closed: number;
}

/** Who has not sent everything for yesterday, or for the last day that is shown. */
export function summarize(rows: readonly CalendarRow[], days: readonly string[]): Summary {
  const yesterday = addDays(today(), -1);
  const isYesterday = days.includes(yesterday);
  const date = isYesterday ? yesterday : (days.at(-1) ?? yesterday);
  const at = days.indexOf(date);
  const having = (letter: string): CalendarRow[] => rows.filter((row) => row.days[at] === letter);
  return { date, isYesterday, missing: having('M'), partial: having('P'), closed: having('X').length };
}
