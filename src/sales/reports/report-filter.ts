import { daysBetween } from '../../calendar/business-calendar.js';
import { DatesReversed, InvalidRequest } from '../../http/errors/http.errors.js';
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
  limit: ReportLimit,
): Promise<Restaurant[]> {
  assertRange(from, to, limit.days);
  const restaurants = restaurantIds
    ? await service.assertGranted(userId, ...restaurantIds)
    : await service.listVisible(userId);
  assertSpan({ from, to }, restaurants.length, limit);
  return restaurants;
}

/** Throws an error for a range of too many days; the more restaurants, the fewer are allowed. */
export function assertSpan(
  { from, to }: DateRange,
  restaurants: number,
  { days, restaurantDays }: ReportLimit,
): void {
  assertRange(from, to, Math.min(days, Math.max(1, Math.floor(restaurantDays / restaurants))));
}

/** Returns a range of which both days are given, undefined if neither is. */
export function optionalRange(
  prefix: string,
  from: string | undefined,
  to: string | undefined,
): DateRange | undefined {
  if (from !== undefined && to !== undefined) return { from, to };
  if (from === undefined && to === undefined) return undefined;
  const [given, missing] = from === undefined ? ['to', 'from'] : ['from', 'to'];
  throw new InvalidRequest(`${prefix}${missing} is missing: ${prefix}${given} is given`, [
    `/${prefix}${missing}`,
  ]);
}

export function assertRange(from: string, to: string, maxDays = Infinity): void {
  if (from > to) throw new DatesReversed(from, to);
  if (daysBetween(from, to) >= maxDays) throw new TooManyDays(maxDays);
}

export function idsOf(restaurants: readonly Restaurant[]): number[] {
  return restaurants.map(({ id }) => id);
}
