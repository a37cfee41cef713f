import { addDecimals } from '../amounts.js';
import { read, readPages } from '../api/service.js';
import type {
  DayResponse,
  DayUpload,
  HourChange,
  Restaurant,
  RestaurantSums,
  UploadsResponse,
} from '../api/shapes.js';
import type { FieldChange } from '../components/changes-table.js';
import { type Compared, compareRestaurants, type PeriodSums } from '../data/compare.js';
import { addDays } from '../dates.js';

export type Day = DayResponse;
export type Upload = DayUpload;

/** Reads all uploads of the day, newest first. */
export async function loadUploads(id: string, date: string): Promise<Upload[]> {
  const query = { restaurant_id: id, date };
  const pages = await readPages<UploadsResponse>('/api/v1/sales/uploads', query);
  return pages.flatMap(({ uploads }) => uploads);
}

/** Reads the day, and the same weekday of the week before. */
export async function loadDays(id: string, date: string): Promise<[day: Day, before: Day]> {
  const load = (on: string): Promise<Day> =>
    read('/api/v1/sales/daily', { restaurant_id: id, date: on });
  return Promise.all([load(date), load(addDays(date, -7))]);
}

/** Compares the day with that of the week before, as any period of one restaurant. */
export function compareDays(day: Day, before: Day, restaurant: Restaurant): Compared {
  const sumsOf = (each: Day): RestaurantSums => ({
    restaurant_id: each.restaurant_id,
    name: restaurant.name,
    hours: String(each.records.length),
    expected_hours: String(each.expected_hours.length),
    missing_hours: String(each.missing_hours.length),
    days: each.records.length > 0 ? '1' : '0',
    last_sent: null,
    totals: each.totals,
  });
  const periodOf = (each: Day): PeriodSums => {
    return { range: { from: each.date, to: each.date }, lines: [sumsOf(each)] };
  };
  const known = new Map([[day.restaurant_id, restaurant]]);
  return compareRestaurants(known, periodOf(day), periodOf(before));
}

/** Lists the fields that an upload changed in hours that were there before. */
export function overwritesOf(changes: readonly HourChange[]): FieldChange[] {
  return changes.flatMap(({ hour, before, after }) => {
    if (!before) return [];
    const fields = Object.keys(after).filter((field) => before[field] !== after[field]);
    return fields.map((field) => ({
      hour,
      field,
      before: before[field] ?? '0',
      after: after[field]!,
    }));
  });
}

/** Says what an upload did to the turnover of the day. */
export function turnoverOf(changes: readonly HourChange[]): { before: string; after: string } {
  return {
    before: addDecimals(changes.map(({ before }) => before?.['gto'] ?? '0')),
    after: addDecimals(changes.map(({ after }) => after['gto'] ?? '0')),
  };
}
