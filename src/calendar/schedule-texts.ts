import { type Closure, closureOn, expectedHours, type Schedule } from './expected-hours.js';
import { formatHours } from './hour-set.js';

/** Says for people what holds for a restaurant on a date. */
export function statusOn(schedule: Schedule, date: string): string {
  const { firstDay } = schedule;
  const closure = closureOn(schedule, date);
  if (closure) return `closed ${daysOf(closure)}`;
  if (date < firstDay) return `first day ${firstDay}`;
  return formatHours(expectedHours(schedule, date)) || 'day off';
}

/** Says for people which days a closure has, and why. */
export function daysOf({ firstDay, lastDay, reason }: Closure): string {
  const days = lastDay === null ? `from ${firstDay}` : `${firstDay} to ${lastDay}`;
  return reason === null ? days : `${days}: ${reason}`;
}
