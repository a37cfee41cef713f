import { ALL_HOURS, countHours, parseHours } from '../../../src/calendar/hour-set.js';
import type { Restaurant, RestaurantSums, Sums } from '../api/shapes.js';
import { type DateRange, daysOf, isoWeekday } from '../dates.js';
import { type Lists, sumOf } from './totals.js';

/** A restaurant is compared if it sent at least this share of the hours of both periods. */
const ALIKE_SHARE = 0.98;

/** Says whether so little of what was expected is missing that the sums can be compared. */
export const isWhole = ({ hours, expected_hours: expected, missing_hours: missing }: Sums) =>
  Number(hours) > 0 && Number(missing) <= Number(expected) * (1 - ALIKE_SHARE);

/** Why a restaurant is not compared: it sent too little, or was open in one of both periods alone. */
export type Unlike = 'hours' | 'opening';

export interface ComparedRestaurant {
  readonly now: RestaurantSums;
  readonly before: RestaurantSums | undefined;
  readonly unlike: Unlike | undefined;
}

/** What was sold by all restaurants, and by those that can be compared with an earlier period. */
export type Compared = ReturnType<typeof compareRestaurants>;

/** Lists of a period; of more restaurants than the page keeps, none has them one by one. */
type PeriodSums = DateRange & Partial<Pick<Lists, 'days' | 'weeks' | 'months' | 'restaurants'>>;

type Known = Pick<ReadonlyMap<string, Restaurant>, 'get'>;

export function compareRestaurants(known: Known, now: PeriodSums, before: PeriodSums | undefined) {
  const [lines, linesBefore] = [linesOf(now), before ? linesOf(before) : []];
  const earlier = new Map(linesBefore.map((line) => [line.restaurant_id, line]));
  const openNow = openShares(known, now);
  const openThen = before && openShares(known, before);
  const rows = lines.map((line): ComparedRestaurant => {
    const then = earlier.get(line.restaurant_id);
    if (!then || !isWhole(line) || !isWhole(then))
      return { now: line, before: then, unlike: 'hours' };
    const isAlike = Math.abs(openNow(line) - openThen!(then)) <= 1 - ALIKE_SHARE;
    return { now: line, before: then, unlike: isAlike ? undefined : 'opening' };
  });
  const alike = rows.filter(({ unlike }) => unlike === undefined);
  const sent = lines.filter(hasSent).length;
  const sentBefore = linesBefore.filter(hasSent).length;
  const isAny = alike.length > 0;
  return {
    range: { from: now.from, to: now.to },
    before: before && { from: before.from, to: before.to },
    all: allOf(now),
    /** Whether each restaurant has a row; else there is one of all. */
    isListed: now.restaurants !== undefined,
    /** The sums of the restaurants that are alike in both periods; undefined if there are none. */
    alike: isAny ? sumOf(alike.map((row) => row.now)) : undefined,
    alikeBefore: isAny ? sumOf(alike.map((row) => row.before!)) : undefined,
    /** How many restaurants sent anything; the sums are theirs. */
    ...{ rows, sent, sentBefore },
    alikeCount: alike.length,
    /** Whether changes and sums are about the same restaurants, in both periods. */
    isOneBase: isAny && alike.length === sent && alike.length === sentBefore,
  };
}

/** Adds up a period; the lists by time have all figures, and those of many restaurants some of them. */
const allOf = ({ days, weeks, months, restaurants = [] }: PeriodSums): Sums =>
  sumOf(days ?? weeks ?? months ?? restaurants);

const linesOf = (of: PeriodSums): readonly RestaurantSums[] =>
  of.restaurants ?? [{ ...allOf(of), restaurant_id: '', name: '', days: '', last_sent: null }];

/**
 * Returns which share of its weekly hours a restaurant was open, after closures and the days before
 * its first one. By shares, periods of other lengths and weekdays are alike.
 */
function openShares(known: Known, { from, to }: DateRange): (line: RestaurantSums) => number {
  const days = new Array<number>(8).fill(0);
  for (const date of daysOf(from, to)) days[isoWeekday(date)]! += 1;
  return ({ restaurant_id: id, expected_hours: expected }) => {
    const weekly = known.get(id)?.weekly_hours ?? [];
    const hours = weekly.reduce(
      (sum, text, index) => sum + countHours(hoursIn(text)) * days[index + 1]!,
      0,
    );
    return hours === 0 ? 1 : Number(expected) / hours;
  };
}

/** Reads the hours of a weekday, of which an empty text has none. */
export const hoursIn = (text: string): number => parseHours(text || 'none') ?? ALL_HOURS;

export const hasSent = ({ hours }: Sums): boolean => Number(hours) > 0;
