import type { CalendarDay } from './business-calendar.js';
import { type Closure, closureOn, expectedHours, type Schedule } from './expected-hours.js';
import { formatHours } from './hour-set.js';

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
