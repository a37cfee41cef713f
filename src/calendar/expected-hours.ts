/** Days without business of a restaurant. Dates are YYYY-MM-DD, both included. */
export interface Closure {
  readonly firstDay: string;
  /** Null: until further notice. */
  readonly lastDay: string | null;
  readonly reason: string | null;
}

/** When a restaurant does business. */
export interface Schedule {
  readonly firstDay: string;
  /** Seven sets of hours, Monday first. */
  readonly weeklyHours: readonly number[];
  readonly closures: readonly Closure[];
}

/** Returns the weekday of a date: 1 for Monday to 7 for Sunday. */
export function weekdayOf(date: string): number {
  return new Date(date).getUTCDay() || 7;
}

/** Returns the closure that holds on a date. */
export function closureOn(
  { closures }: Pick<Schedule, 'closures'>,
  date: string,
): Closure | undefined {
  return closures.find(
    ({ firstDay, lastDay }) => firstDay <= date && (lastDay === null || date <= lastDay),
  );
}

/**
 * Returns the set of hours that a restaurant is expected to send of a date, 0 for none. It decides
 * only what is missing; what is sent beyond it counts. A caller that asks for many restaurants
 * passes the weekday, which costs the most.
 */
export function expectedHours(
  schedule: Schedule,
  date: string,
  weekday: number = weekdayOf(date),
): number {
  if (date < schedule.firstDay || closureOn(schedule, date)) return 0;
  return schedule.weeklyHours[weekday - 1]!;
}
