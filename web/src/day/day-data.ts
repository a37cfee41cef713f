import { read, readPages } from '../api/service.js';
import type {
  DayResponse,
  DayUpload,
  Restaurant,
  RestaurantSums,
  UploadsResponse,
} from '../api/shapes.js';
import { type Compared, compareRestaurants, type PeriodSums } from '../data/compare.js';
import { addDays } from '../dates.js';

export interface Day {
  readonly day: DayResponse;
  /** The same weekday of the week before. */
  readonly before: DayResponse;
  /** All uploads of the day, newest first. */
  readonly uploads: readonly DayUpload[];
}

export async function loadDay(id: string, date: string, signal: AbortSignal): Promise<Day> {
  const load = (on: string): Promise<DayResponse> =>
    read('/api/v1/sales/daily', { restaurant_id: id, date: on }, { signal });
  const query = { restaurant_id: id, date };
  const [day, before, pages] = await Promise.all([
    load(date),
    load(addDays(date, -7)),
    readPages<UploadsResponse>('/api/v1/sales/uploads', query, { signal }),
  ]);
  return { day, before, uploads: pages.flatMap(({ uploads }) => uploads) };
}

/** Compares the day with that of the week before, as any period of one restaurant. */
export function compareDays({ day, before }: Day, restaurant: Restaurant): Compared {
  const sumsOf = (each: DayResponse): RestaurantSums => ({
    restaurant_id: each.restaurant_id,
    name: restaurant.name,
    hours: String(each.records.length),
    expected_hours: String(each.expected_hours.length),
    missing_hours: String(each.missing_hours.length),
    days: each.records.length > 0 ? '1' : '0',
    last_sent: null,
    totals: each.totals,
  });
  const periodOf = (each: DayResponse): PeriodSums => {
    return { from: each.date, to: each.date, restaurants: [sumsOf(each)] };
  };
  const known = new Map([[day.restaurant_id, restaurant]]);
  return compareRestaurants(known, periodOf(day), periodOf(before));
}
