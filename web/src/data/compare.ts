import type { RestaurantSums, Sums } from '../api/shapes.js';
import { sumOf } from './totals.js';

/** A restaurant is compared if it sent at least this share of the hours of both periods. */
export const ALIKE_SHARE = 0.98;

/** Says whether so little of what was expected is missing that the sums can be compared. */
export function isWhole({
  hours,
  expected_hours: expected,
  missing_hours: missing,
}: Sums): boolean {
  if (Number(hours) === 0) return false;
  return Number(missing) <= Number(expected) * (1 - ALIKE_SHARE);
}

export interface ComparedRestaurant {
  readonly now: RestaurantSums;
  readonly before: RestaurantSums | undefined;
  readonly isAlike: boolean;
}

/** What was sold by all restaurants, and by those that can be compared with an earlier period. */
export interface Compared {
  readonly all: Sums;
  readonly allBefore: Sums | undefined;
  /** The sums of the restaurants that are alike in both periods. */
  readonly alike: Sums | undefined;
  readonly alikeBefore: Sums | undefined;
  readonly rows: readonly ComparedRestaurant[];
  /** How many restaurants sent anything in the period; the sums are theirs. */
  readonly sent: number;
  readonly sentBefore: number;
  readonly alikeCount: number;
}

export function compareRestaurants(
  now: readonly RestaurantSums[],
  before: readonly RestaurantSums[] | undefined,
): Compared {
  const earlier = new Map(before?.map((line) => [line.restaurant_id, line]));
  const rows = now.map((line): ComparedRestaurant => {
    const then = earlier.get(line.restaurant_id);
    return { now: line, before: then, isAlike: !!then && isWhole(line) && isWhole(then) };
  });
  const alike = rows.filter(({ isAlike }) => isAlike);
  const isEmpty = alike.length === 0;
  return {
    all: sumOf(now),
    allBefore: before && sumOf(before),
    alike: isEmpty ? undefined : sumOf(alike.map((row) => row.now)),
    alikeBefore: isEmpty ? undefined : sumOf(alike.map((row) => row.before!)),
    rows,
    sent: now.filter(hasSent).length,
    sentBefore: before?.filter(hasSent).length ?? 0,
    alikeCount: alike.length,
  };
}

export const hasSent = ({ hours }: Sums): boolean => Number(hours) > 0;
