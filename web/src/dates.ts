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

/** Takes a date apart; dates are days of the service's calendar, and no time zone moves them. */
function partsOf(date: string) {
  const time = new Date(date);
  return {
    day: time.getUTCDate(),
    month: MONTHS[time.getUTCMonth()]!,
    year: date.slice(0, 4),
    weekday: WEEKDAYS[time.getUTCDay()]!,
  };
}

/** Writes `Wednesday 15 October 2025`. */
export function longDate(date: string): string {
  const { weekday, day, month, year } = partsOf(date);
  return `${weekday} ${day} ${month} ${year}`;
}

/** Writes `Wed 15 Oct 2025`. */
export function shortDate(date: string): string {
  const { weekday, day, month, year } = partsOf(date);
  return `${weekday.slice(0, 3)} ${day} ${month.slice(0, 3)} ${year}`;
}

/** Writes `15 Oct`. */
export function dayAndMonth(date: string): string {
  const { day, month } = partsOf(date);
  return `${day} ${month.slice(0, 3)}`;
}

/** Writes `October 2025`. */
export const monthAndYear = (date: string): string =>
  `${partsOf(date).month} ${partsOf(date).year}`;

/** Writes a range as `Wed 1 Oct 2025 to Fri 31 Oct 2025`, or as its only day. */
export const rangeText = ({ from, to }: DateRange): string =>
  from === to ? shortDate(from) : `${shortDate(from)} to ${shortDate(to)}`;

export const monthName = (date: string): string => partsOf(date).month.slice(0, 3);
export const shortWeekday = (date: string): string => partsOf(date).weekday.slice(0, 3);

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

const formats = new Map<string, Intl.DateTimeFormat>();

/** Sweden writes a date as in ISO 8601. */
function localParts(timestamp: string | number, timeZone: string): readonly [string, string] {
  const made = () =>
    new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const format = formats.get(timeZone) ?? made();
  formats.set(timeZone, format);
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
