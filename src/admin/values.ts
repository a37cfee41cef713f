import { InvalidArgumentError } from 'commander';
import { isCalendarDate } from '../http/validation/fields.decorator.js';

/** Parses a whole number; services check its range. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

/** Collects the whole numbers of an argument that may stand several times. */
export function wholeNumbers(text: string, earlier: readonly number[] = []): number[] {
  return [...earlier, wholeNumber(text)];
}

export function day(text: string): string {
  if (!isCalendarDate(text))
    throw new InvalidArgumentError('It must be a date that exists, as YYYY-MM-DD.');
  return text;
}

/** Parses a time; a date alone means its first moment in UTC. */
export function time(text: string): Date {
  const date = new Date(text);
  if (!isCalendarDate(text.slice(0, 10)) || Number.isNaN(date.getTime()))
    throw new InvalidArgumentError('It must be a date or a time.');
  return date;
}

/** Parses how many items a list has at most. */
export function limit(text: string): number {
  if (wholeNumber(text) < 1) throw new InvalidArgumentError('It must be at least 1.');
  return wholeNumber(text);
}
