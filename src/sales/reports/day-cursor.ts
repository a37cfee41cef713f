import { isCalendarDate } from '../../http/validation/calendar-date.js';
import { MAX_INTEGER } from '../../http/validation/fields.decorator.js';

export interface RestaurantDay {
  readonly restaurantId: number;
  /** YYYY-MM-DD */
  readonly date: string;
}

/** Reads a position, `101-2025-10-15`; undefined if the text is not one. */
export function readCursor(text: unknown): RestaurantDay | undefined {
  const [, id, date] = /^([1-9]\d{0,9})-(.+)$/.exec(String(text)) ?? [];
  return Number(id) <= MAX_INTEGER && isCalendarDate(date)
    ? { restaurantId: Number(id), date }
    : undefined;
}
