import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { type Findings, wayToRead } from './findings.js';
import type { DigitReading } from './profile.js';
import { splitMoment } from './read-dates.js';

export const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = HOURS_PER_DAY * MINUTES_PER_HOUR;

/** How the hours of a source are written. */
export interface HourRules {
  readonly digits: DigitReading;
  /** 1 where hour 1 is midnight to one. */
  readonly first: 0 | 1;
  /** Whether 24 and more are hours of the next day. */
  readonly nextDay: boolean;
  /** Whether the date of the row is in the same cells. */
  readonly hasDate: boolean;
}

const CLOCK =
  /^(\d{1,2})(?:[:.h](\d{2}))?(?:[:.](\d{2})(?:\.\d+)?)?\s*(?:([ap])\.?\s?m?\.?)?(?:\s*(?:hrs?|hours?|uhr|h|[时時點点시]台?))?$/i;
const RANGE = /\s*(?:[-–—~～〜→/]|\b(?:to|until|till|bis)\b)\s*/i;

/** Reads the minute of the day at which the hour of a cell begins; undefined if it cannot. */
function readClock(text: string): number | undefined {
  const [, hour, minute = '0', , half] = CLOCK.exec(text) ?? [];
  if (hour === undefined || Number(minute) >= MINUTES_PER_HOUR) return undefined;
  if (half === undefined) return Number(hour) * MINUTES_PER_HOUR + Number(minute);
  if (Number(hour) < 1 || Number(hour) > 12) return undefined;
  const afternoon = /p/i.test(half) ? 12 : 0;
  return ((Number(hour) % 12) + afternoon) * MINUTES_PER_HOUR + Number(minute);
}

/** Reads digits alone: `12` as an hour, `0900` and `090000` as an hour with minutes and seconds. */
const DIGITS: Readonly<Record<DigitReading, (digits: string) => number | undefined>> = {
  hours: (digits) => (Number(digits) < 100 ? Number(digits) * MINUTES_PER_HOUR : undefined),
  minutes: (digits) =>
    /^(0|\d{3,4})$/.test(digits) ? readClock(digits.replace(/(?<=\d)(\d\d)$/, ':$1')) : undefined,
  seconds: (digits) =>
    /^\d{5,6}$/.test(digits) ? readClock(digits.replace(/(\d\d)(\d\d)$/, ':$1:$2')) : undefined,
};

/** Returns what the digits of all cells are, or asks; others than digits fit each. */
export const digitReadingOf = (
  cells: Iterable<string>,
  where: string,
  rules: Omit<HourRules, 'digits'>,
  findings: Findings,
): DigitReading =>
  wayToRead(findings, where, {
    ...{ option: 'hour.digits', ways: ['hours', 'minutes', 'seconds'], cells },
    read: (cell, digits) => readHour(cell, { ...rules, digits }),
    label: (digits) => digits,
  });

/** No hour is longer, with its date; what is would cost much to look at. */
const MAX_LENGTH = 60;

/** Reads when the hour of a row begins, as minutes since the midnight of its date. */
export function readHour(cell: string, rules: HourRules): number | undefined {
  if (cell.length > MAX_LENGTH) return undefined;
  const { date, time } = splitMoment(cell);
  return (
    readTime(cell, rules) ?? (date === '' || rules.hasDate ? readTime(time, rules) : undefined)
  );
}

function readTime(text: string, { digits, first, nextDay }: HourRules): number | undefined {
  const read = (each: string): number | undefined =>
    /^\d+$/.test(each) ? DIGITS[digits](each) : readClock(each);
  const [from = '', to, ...more] = text.trim().split(RANGE);
  const start = more.length > 0 ? undefined : read(from);
  if (start === undefined) return undefined;
  if (to !== undefined && !isWithinHour(start, read(to))) return undefined;
  const before = to === undefined ? first * MINUTES_PER_HOUR : 0;
  if (before > 0 && start % MINUTES_PER_HOUR !== 0) return undefined;
  const minute = start - before;
  return minute >= 0 && minute < MINUTES_PER_DAY * (nextDay ? 2 : 1) ? minute : undefined;
}

/** Whether a range lies in the clock hour in which it begins. */
function isWithinHour(start: number, end: number | undefined): boolean {
  if (end === undefined) return false;
  const length = (end - start + MINUTES_PER_DAY * 2) % MINUTES_PER_DAY;
  return length > 0 && (start % MINUTES_PER_HOUR) + length <= MINUTES_PER_HOUR;
}
