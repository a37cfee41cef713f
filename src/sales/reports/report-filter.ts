import { addDays, daysBetween } from '../../calendar/business-calendar.js';
import { DatesReversed } from '../../http/errors/http.errors.js';
import type { Restaurant } from '../../restaurants/restaurant.entity.js';
import type { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { TooManyDays } from '../sales.errors.js';
import type { ReportLimit } from './report-limits.js';

/** A range of days. Dates are YYYY-MM-DD, both included. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
}

export interface ReportFilter extends DateRange {
  readonly userId: number;
  /** Some restaurants; undefined for all that are granted to the user. */
  readonly restaurantIds?: readonly number[] | undefined;
}

/** Returns the restaurants of a filter by id; the more there are, the fewer days are allowed. */
export async function selectRestaurants(
  service: RestaurantsService,
  { userId, from, to, restaurantIds }: ReportFilter,
  { days, restaurantDays }: ReportLimit,
): Promise<Restaurant[]> {
  assertRange(from, to, days);
  const restaurants = restaurantIds
    ? await service.assertGranted(userId, ...restaurantIds)
    : await service.listVisible(userId);
  assertRange(from, to, Math.max(1, Math.floor(restaurantDays / restaurants.length)));
  return restaurants;
}

/** Lists the days of a range. */
export function datesOf({ from, to }: DateRange): string[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, day) => addDays(from, day));
}

export function assertRange(from: string, to: string, maxDays = Infinity): void {
  if (from > to) throw new DatesReversed(from, to);
  if (daysBetween(from, to) >= maxDays) throw new TooManyDays(maxDays);
}

export function idsOf(restaurants: readonly Restaurant[]): number[] {
  return restaurants.map(({ id }) => id);
}
