import { isCalendarDate } from '../../http/validation/calendar-date.js';
import { MAX_INTEGER } from '../../http/validation/fields.decorator.js';

export interface RestaurantDay {
  readonly restaurantId: number;
  /** YYYY-MM-DD */
  readonly date: string;
}

const PATTERN = /^([1-9]\d{0,9})-(\d{4}-\d{2}-\d{2})$/;

/** Writes a position as `101-2025-10-15`. */
export function writeCursor({ restaurantId, date }: RestaurantDay): string {
  return `${restaurantId}-${date}`;
}

/** Reads a position; undefined if the text is not one. */
export function readCursor(text: unknown): RestaurantDay | undefined {
  const [, id, date] = (typeof text === 'string' && PATTERN.exec(text)) || [];
  return Number(id) <= MAX_INTEGER && isCalendarDate(date)
    ? { restaurantId: Number(id), date }
    : undefined;
}
