const DAY_MS = 86_400_000;
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** Days as YYYY-MM-DD, both included. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
}

/** Writes the parts of a date; it is a day of the service's calendar, and no time zone moves it. */
function write(date: string, parts: string): string {
  const time = new Date(date);
  const [month, weekday] = [MONTHS[time.getUTCMonth()]!, WEEKDAYS[time.getUTCDay()]!];
  const short = { mon: month.slice(0, 3), wd: weekday.slice(0, 3) };
  const all: Record<string, string> = { ...short, month, weekday, year: date.slice(0, 4) };
  return parts.replace(/\w+/g, (part) => all[part] ?? String(time.getUTCDate()));
}

/** Writes `Wednesday 15 October 2025`. */
export const longDate = (date: string): string => write(date, 'weekday day month year');
/** Writes `Wed 15 Oct 2025`. */
export const shortDate = (date: string): string => write(date, 'wd day mon year');
/** Writes `15 Oct`. */
export const dayAndMonth = (date: string): string => write(date, 'day mon');
/** Writes `October 2025`. */
export const monthAndYear = (date: string): string => write(date, 'month year');
export const monthName = (date: string): string => write(date, 'mon');
export const shortWeekday = (date: string): string => write(date, 'wd');

/** Writes a range as `Wed 1 Oct 2025 to Fri 31 Oct 2025`, or as its only day. */
export const rangeText = ({ from, to }: DateRange): string =>
  from === to ? shortDate(from) : `${shortDate(from)} to ${shortDate(to)}`;

/** Returns the weekday as ISO 8601 counts it: Monday is 1, Sunday is 7. */
export const isoWeekday = (date: string): number => new Date(date).getUTCDay() || 7;

/** Writes a weekday's short name: 1 is `Mon`. */
export const weekdayOf = (iso: number): string => WEEKDAYS[iso % 7]!.slice(0, 3);

/** Writes a moment as `Wed 25 Nov 2026, 00:20`, in the time zone of the service. */
export function momentText(timestamp: string | number, timeZone: string): string {
  const [date, time] = localParts(timestamp, timeZone);
  return `${shortDate(date)}, ${time.slice(0, 5)}`;
}

/** Writes a moment as `09:42:10`, in the time zone of the service. */
export const timeText = (timestamp: string | number, timeZone: string): string =>
  localParts(timestamp, timeZone)[1];

/** Writes the place of a time zone: `Singapore` for `Asia/Singapore`. */
export const placeOf = (timeZone: string): string =>
  timeZone.split('/').at(-1)!.replaceAll('_', ' ');

/** Sweden writes a date as in ISO 8601. */
const ISO = { dateStyle: 'short', timeStyle: 'medium' } as const;
let format = new Intl.DateTimeFormat('sv', { ...ISO, timeZone: 'UTC' });

function localParts(timestamp: string | number, timeZone: string): readonly [string, string] {
  // A formatter is slow to make, and the service has one time zone.
  if (format.resolvedOptions().timeZone !== timeZone)
    format = new Intl.DateTimeFormat('sv', { ...ISO, timeZone });
  const [date = '', time = ''] = format.format(new Date(timestamp)).split(' ');
  return [date, time];
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Adds months; a day that the month does not have becomes its last one. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return addDays(first.toISOString().slice(0, 10), Math.min(day, days) - 1);
}

/** Says whether a text is a day that exists, written YYYY-MM-DD. */
export function isDate(text: string | null | undefined): text is string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text ?? '')) return false;
  const time = Date.parse(text!);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text!);
}

export const countDays = ({ from, to }: DateRange): number =>
  Math.max(Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1, 0);

/** Returns the days of a range, both ends included. */
export function daysOf(from: string, to: string): string[] {
  return Array.from({ length: countDays({ from, to }) }, (_, index) => addDays(from, index));
}
