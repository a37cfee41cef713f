const DAY_MS = 86_400_000;

const LONG = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });
const SHORT = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Today where the browser is, as YYYY-MM-DD. */
export function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

export function isDate(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The days of a range, both ends included. */
export function daysOf(from: string, to: string): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => addDays(from, index));
}

/** 0 is Sunday. */
export function weekdayOf(date: string): number {
  return new Date(date).getUTCDay();
}

/** `Wednesday, 15 October 2025`, in the language of the browser. */
export function longDate(date: string): string {
  return LONG.format(new Date(date));
}

/** `Wed, 15 Oct 2025` */
export function shortDate(date: string): string {
  return SHORT.format(new Date(date));
}

/** `Oct` */
export function monthName(date: string): string {
  return MONTH.format(new Date(date));
}

export function momentText(timestamp: string): string {
  return MOMENT.format(new Date(timestamp));
}
