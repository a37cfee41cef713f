import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import type { DigitReading } from './profile.js';
import { waysToRead } from './question.js';
import { splitMoment } from './read-dates.js';
import { type Cell, textOf, WrittenNumber } from './table.js';

export const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = HOURS_PER_DAY * MINUTES_PER_HOUR;
const DAY_MS = MINUTES_PER_DAY * 60_000;

/** How the hours of a source are written. */
export interface HourRules {
  readonly digits: DigitReading;
  /** 1 where hour 1 is midnight to one. */
  readonly first: 0 | 1;
  /** Whether 24 and more are hours of the next day. */
  readonly nextDay: boolean;
}

const CLOCK =
  /^(\d{1,2})(?:[:.h](\d{2}))?(?:[:.](\d{2})(?:\.\d+)?)?\s*(?:([ap]|nn|mn)\.?\s?m?\.?)?(?:\s*(?:hrs?|hours?|uhr|h|[时時點点시]台?))?$/i;
const HALF = /(?:[ap]|nn|mn)\.?\s?m?\.?$/i;
const RANGE = /\s*(?:[-–—~～〜→/]|\b(?:to|until|till|bis)\b)\s*/i;

/** Reads the minute of the day at which the hour of a cell begins; undefined if it cannot. */
function readClock(text: string): number | undefined {
  const [, hour, minute = '0', , half] = CLOCK.exec(text) ?? [];
  if (hour === undefined || Number(minute) >= MINUTES_PER_HOUR) return undefined;
  if (half === undefined) return Number(hour) * MINUTES_PER_HOUR + Number(minute);
  // `12 NN` is noon, and `12 MN` is midnight.
  if (Number(hour) < (half.length === 2 ? 12 : 1) || Number(hour) > 12) return undefined;
  const afternoon = /^(p|nn)$/i.test(half) ? 12 : 0;
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

/** Returns the readings of digits that fit every cell; others than digits fit each. */
export const digitReadings = (
  cells: Iterable<string>,
  rules: Omit<HourRules, 'digits'>,
): DigitReading[] =>
  waysToRead(['hours', 'minutes', 'seconds'] as const, cells, (cell, digits) =>
    readHour(cell, { ...rules, digits }),
  );

/** No hour is longer, with its date; what is would cost much to look at. */
const MAX_LENGTH = 60;

/** Returns the text of a cell; a workbook may keep a time as a fraction of a day. */
export function hourText(cell: Cell | undefined): string {
  const text = textOf(cell);
  if (!(cell instanceof WrittenNumber) || !text.includes('.')) return text;
  const milliseconds = Math.round(Number(text) * DAY_MS);
  if (milliseconds < 0 || milliseconds >= DAY_MS) return `${text} days`;
  return new Date(milliseconds).toISOString().slice(11, 16);
}

/** Reads when the hour of a row begins, as minutes since the midnight of its date. */
export function readHour(cell: string, rules: HourRules): number | undefined {
  if (cell.length > MAX_LENGTH) return undefined;
  return readTime(cell, rules) ?? readTime(splitMoment(cell).time, rules);
}

function readTime(text: string, { digits, first, nextDay }: HourRules): number | undefined {
  const [from = '', to, ...more] = text.trim().split(RANGE);
  const start = more.length > 0 ? undefined : readStart(from, to, digits);
  if (start === undefined) return undefined;
  if (to !== undefined && !isWithinHour(start, readEnd(to, digits))) return undefined;
  const before = to === undefined ? first * MINUTES_PER_HOUR : 0;
  if (before > 0 && start % MINUTES_PER_HOUR !== 0) return undefined;
  const minute = start - before;
  return minute >= 0 && minute < MINUTES_PER_DAY * (nextDay ? 2 : 1) ? minute : undefined;
}

/** The first half of a range may leave am or pm to the second: `11 - 12 pm`, `9 - 10 am`. */
function readStart(from: string, to: string | undefined, digits: DigitReading): number | undefined {
  const hasHalf = HALF.test(to ?? '');
  if (/^\d+$/.test(from) && !hasHalf) return DIGITS[digits](from);
  const minute = readClock(from);
  const end = to === undefined ? undefined : readClock(to);
  if (HALF.test(from) || end === undefined || !hasHalf) return minute;
  return ['am', 'pm']
    .map((half) => readClock(`${from} ${half}`))
    .find((each) => each !== undefined && isWithinHour(each, end));
}

const readEnd = (to: string, digits: DigitReading): number | undefined =>
  /^\d+$/.test(to) ? DIGITS[digits](to) : readClock(to);

/** Whether a range lies in the clock hour in which it begins. */
function isWithinHour(start: number, end: number | undefined): boolean {
  if (end === undefined) return false;
  const length = (end - start + MINUTES_PER_DAY * 2) % MINUTES_PER_DAY;
  return length > 0 && (start % MINUTES_PER_HOUR) + length <= MINUTES_PER_HOUR;
}
