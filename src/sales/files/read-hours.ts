import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { splitMoments } from './read-dates.js';
import { type Cell, textOf, WorkbookNumber } from './table.js';

export const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = HOURS_PER_DAY * MINUTES_PER_HOUR;

/** When a row begins: minutes since midnight, which may be of the next day. */
export interface HourRules {
  /** 1 where hour 1 is midnight to one. */
  readonly first?: 0 | 1;
  /** Whether 24 and more are hours of the next day. */
  readonly nextDay?: boolean;
}

const CLOCK =
  /^(\d{1,2})(?:[:.h](\d{2}))?(?:[:.](\d{2})(?:\.\d+)?)?\s*(?:([ap]|nn|mn)\.?\s?m?\.?)?(?:\s*(?:hrs?|hours?|uhr|h|wib|wita|wit|น\.?|[时時点點시]台?))?$/i;
const HALF = /(?:[ap]|nn|mn)\.?\s?m?\.?$/i;
const RANGE =
  /\s*(?:[-–—~～〜→/]|\bs\/d\b|\b(?:to|until|till|thru|bis)\b|\s(?:a|à|al|hasta|até|tot)\s(?=\d))\s*/i;

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

/** The two readings of digits alone: `12` as an hour, `0900` as an hour and minutes. */
const DIGITS: readonly ((digits: string) => number | undefined)[] = [
  (digits) => (Number(digits) < 100 ? Number(digits) * MINUTES_PER_HOUR : undefined),
  (digits) =>
    /^(0|\d{3,4})$/.test(digits) ? readClock(digits.replace(/(?<=\d)(\d\d)$/, ':$1')) : undefined,
];

export type DigitReading = 0 | 1;

/** Returns the readings of digits that fit every cell; others than digits fit each. */
export function digitReadings(cells: Iterable<string>, rules: HourRules): DigitReading[] {
  const all = [...new Set(cells)];
  const readings = ([0, 1] as const).map((reading) =>
    all.map((cell) => readHour(cell, reading, rules)),
  );
  const [one, two] = readings.map((minutes) => minutes.every((each) => each !== undefined));
  if (one && two && readings[0]!.join() === readings[1]!.join()) return [0];
  return [...(one ? [0 as const] : []), ...(two ? [1 as const] : [])];
}

/** No hour is longer, with its date; what is would cost much to look at. */
const MAX_LENGTH = 60;

/** Returns the text of a cell; a workbook may keep a time as a fraction of a day. */
export function hourText(cell: Cell | undefined): string {
  const text = textOf(cell);
  if (!(cell instanceof WorkbookNumber) || !text.includes('.')) return text;
  const seconds = Number(text) * MINUTES_PER_DAY * 60;
  const minute = Math.floor(Math.round(seconds) / 60);
  const isTime = Math.abs(seconds - Math.round(seconds)) < 0.01;
  if (!isTime || minute >= MINUTES_PER_DAY) return `${text} days`;
  return `${Math.floor(minute / MINUTES_PER_HOUR)}:${String(minute % MINUTES_PER_HOUR).padStart(2, '0')}`;
}

/** Takes off a word before the hour, and puts am and pm of East Asia behind it. */
const plainTime = (time: string): string =>
  time
    .trim()
    .replace(/^(?:from|von|de|du|dari|hour|hr|jam|stunde)\s+(?=\d)/i, '')
    .replace(/(오전|上午|午前|오후|下午|午後)\s*([\d:]+)/g, (_, half: string, clock: string) => {
      return `${clock} ${/오후|下午|午後/.test(half) ? 'pm' : 'am'}`;
    });

/** Reads when the hour of a row begins, as minutes since the midnight of its date. */
export function readHour(cell: string, digits: DigitReading, rules: HourRules): number | undefined {
  if (cell.length > MAX_LENGTH) return undefined;
  const { time, dates } = splitMoments(cell);
  const [from = '', to, ...more] = plainTime(time).split(RANGE);
  if (more.length > 0 || dates.size > 2) return undefined;
  const start = readStart(from, to, digits);
  if (start === undefined) return undefined;
  if (to !== undefined) {
    const end = readEnd(to, digits);
    const isNextDay = dates.size < 2 || (end !== undefined && end % MINUTES_PER_DAY === 0);
    if (!isNextDay || !isWithinHour(start, end)) return undefined;
  }
  const first = to === undefined ? (rules.first ?? 0) : 0;
  if (first === 1 && start % MINUTES_PER_HOUR !== 0) return undefined;
  const minute = start - first * MINUTES_PER_HOUR;
  return minute >= 0 && minute < MINUTES_PER_DAY * (rules.nextDay ? 2 : 1) ? minute : undefined;
}

/** The first half of a range may leave am or pm to the second: `11 - 12 pm`, `9 - 10 am`. */
function readStart(from: string, to: string | undefined, digits: DigitReading): number | undefined {
  const hasHalf = HALF.test(to ?? '');
  if (/^\d+$/.test(from) && !hasHalf) return DIGITS[digits]!(from);
  const minute = readClock(from);
  const end = to === undefined ? undefined : readClock(to);
  if (HALF.test(from) || end === undefined || !hasHalf) return minute;
  return ['am', 'pm']
    .map((half) => readClock(`${from} ${half}`))
    .find((each) => each !== undefined && isWithinHour(each, end));
}

const readEnd = (to: string, digits: DigitReading): number | undefined =>
  /^\d+$/.test(to) ? DIGITS[digits]!(to) : readClock(to);

/** Whether a range lies in the clock hour in which it begins. */
function isWithinHour(start: number, end: number | undefined): boolean {
  if (end === undefined) return false;
  const length = (end - start + MINUTES_PER_DAY * 2) % MINUTES_PER_DAY;
  return length > 0 && (start % MINUTES_PER_HOUR) + length <= MINUTES_PER_HOUR;
}
