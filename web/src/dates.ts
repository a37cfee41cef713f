const DAY_MS = 86_400_000;

/** Days as YYYY-MM-DD, both included. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
}

/** Dates are days of the service's calendar, so that none is moved by the browser's time zone. */
const formatOf = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });
  return (date: string) => format.format(new Date(date));
};
const DAY_AND_MONTH = { day: 'numeric', month: 'short' } as const;

/** Writes `Wednesday 15 October 2025`, in the language of the browser. */
export const longDate = formatOf({ dateStyle: 'full' });
/** Writes `Wed, 15 Oct 2025`. */
export const shortDate = formatOf({ ...DAY_AND_MONTH, weekday: 'short', year: 'numeric' });
export const dayAndMonth = formatOf(DAY_AND_MONTH);
export const monthName = formatOf({ month: 'short' });
export const weekdayName = formatOf({ weekday: 'long' });
export const shortWeekday = formatOf({ weekday: 'short' });

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const momentText = (timestamp: string): string => MOMENT.format(new Date(timestamp));

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Says whether a text is a day that exists, written YYYY-MM-DD. */
export function isDate(text: string | null | undefined): text is string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text ?? '')) return false;
  const time = Date.parse(text!);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text!);
}

/** Returns the days of a range, both ends included. */
export function daysOf(from: string, to: string): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => addDays(from, index));
}
