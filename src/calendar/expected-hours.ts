import type { CalendarDay } from './business-calendar.js';
import { ALL_HOURS, type Evening, formatHours, HOURS_PER_DAY } from './hour-set.js';

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
  /** The hours of each weekday that go on from the evening before; see `nightHours`. */
  readonly nights: readonly number[];
  readonly closures: readonly Closure[];
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
 * only what is missing; what is sent beyond it counts. The hours of a night belong to the evening
 * before: they are expected if the restaurant was open on that day.
 */
export function expectedHours(schedule: Schedule, day: CalendarDay): number {
  const night = schedule.nights[day.weekday - 1]!;
  const ownHours = schedule.weeklyHours[day.weekday - 1]! & ~night;
  const expected =
    (isOpen(schedule, day.date) ? ownHours : 0) |
    (night !== 0 && isOpen(schedule, day.dayBefore) ? night : 0);
  return expected & ~day.skippedHours;
}

/**
 * Writes in SQL the hours of a weekday that go on from the evening before: those from 00:00 on without
 * a gap, if the day before ends at 24:00. A day of all 24 hours has no evening.
 */
export function nightHours(weeklyHours: string, weekday: number | string): string {
  const hours = `${weeklyHours}[${weekday}]`;
  const hoursBefore = `${weeklyHours}[(${weekday} + 5) % 7 + 1]`;
  return `CASE WHEN ${hoursBefore} >> ${HOURS_PER_DAY - 1} & 1 = 1
    AND ${ALL_HOURS} NOT IN (${hoursBefore}, ${hours}) THEN ${hours} & ~(${hours} + 1) ELSE 0 END`;
}

/** Sets the evenings of some weekdays (1 for Monday); the hours of other evenings stay. */
export function withEvening(
  { weeklyHours, nights }: Pick<Schedule, 'weeklyHours' | 'nights'>,
  { hours, nextDay }: Evening,
  weekdays: readonly number[],
): number[] {
  return weeklyHours.map((before, index) => {
    const night = nights[index]!;
    const dayBefore = index === 0 ? 7 : index;
    const ownHours = weekdays.includes(index + 1) ? hours : before & ~night;
    return ownHours | (weekdays.includes(dayBefore) ? nextDay : night);
  });
}

function isOpen(schedule: Schedule, date: string): boolean {
  return date >= schedule.firstDay && closureOn(schedule, date) === undefined;
}

/** Says for people what holds for a restaurant on a date. */
export function statusOn(schedule: Schedule, day: CalendarDay): string {
  const { firstDay } = schedule;
  const closure = closureOn(schedule, day.date);
  if (closure) return `closed ${daysOf(closure)}`;
  if (day.date < firstDay) return `first day ${firstDay}`;
  return formatHours(expectedHours(schedule, day)) || 'day off';
}

/** Says for people which days a closure has, and why. */
export function daysOf({ firstDay, lastDay, reason }: Closure): string {
  const days = lastDay === null ? `from ${firstDay}` : `${firstDay} to ${lastDay}`;
  return reason === null ? days : `${days}: ${reason}`;
}
