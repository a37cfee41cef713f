import type { DateOrder } from './profile.js';
import { waysToRead } from './question.js';

const DATE_ORDERS: readonly DateOrder[] = ['ymd', 'dmy', 'mdy'];

/** How the dates of a source are written. */
export interface DateRules {
  readonly order: DateOrder;
  /** The names of the months from January on, or twice as many; English ones are known. */
  readonly months?: readonly string[] | undefined;
}

const ENGLISH = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
).map((name) => name.toLowerCase());

const DAY_MS = 86_400_000;

/** No date is longer; what is would cost much to look at. */
const MAX_LENGTH = 60;

const WORD = '[\\p{L}\\p{M}]+\\.?';
const BETWEEN = '(?:\\. |[-/._ ])';
const DAY = '\\d{1,2}(?:st|nd|rd|th)?';
/** What looks like a date, with a year of these digits. */
const dateWith = (year: string): string =>
  `(?:\\d{4}${BETWEEN}\\d{1,2}${BETWEEN}\\d{1,2}|\\d{1,2}${BETWEEN}\\d{1,2}${BETWEEN}${year}|` +
  `${DAY}[-/._, ]*(?:(?:of|de) )?${WORD}[-/._, ]*(?:de )?${year}|` +
  `${WORD}[-/._ ]*${DAY}[-/._ ,]+${year}|\\d{8})`;

/** A date, with a day of the week before it, and what stands behind it. */
const MOMENT = new RegExp(
  `^(?:${WORD},?\\s+)?(${dateWith('(?:\\d{4}|\\d{2})')})(?:\\.?(?!\\d)|(?=\\d{4}(?:\\d\\d)?$))(.*)$`,
  'iu',
);
const WEEKDAY = new RegExp(`^[,\\s]*\\(?${WORD}\\)?$`, 'u');
const NO_WEEKDAY = /^[,\s]*[ap]\.?m?\.?$/i;
const TIME = /^(?:T|,?\s+)?(\d.*)$/i;

/** A zone behind a time: `Z`, `+08:00`, `UTC`, `EST`. */
const ZONE =
  /(?<=\d\d:?\d\d:?\d\d(?:\.\d+)?|T\d\d:\d\d)\s?(?:Z|[+-]\d\d(?::?\d\d)?)$|(?<=\d|[ap]\.?m\.?)\s*(?:UTC|GMT|[A-Z]{1,3}[SD]T|CET|CEST|WIB|WITA|WIT|SGT|JST|KST|HKT|PHT|ICT|MYT)(?:[+-]\d{1,2})?$/i;

const PLAIN_MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?$/;

/** Returns the zone that stands in a cell; empty if there is none. */
export const zoneOf = (cell: string): string =>
  cell.length > MAX_LENGTH || PLAIN_MOMENT.test(cell) ? '' : (ZONE.exec(cell)?.[0].trim() ?? '');

/** A cell with a date, a time or both, without a day of the week and a zone. */
export interface Moment {
  readonly date: string;
  readonly time: string;
}

/** Splits a cell at the end of its date; what is no date is taken for a time. */
export function splitMoment(cell: string): Moment {
  if (cell.length > MAX_LENGTH) return { date: cell, time: '' };
  if (PLAIN_MOMENT.test(cell)) return { date: cell.slice(0, 10), time: cell.slice(11) };
  const text = cell.replace(ZONE, '');
  const [, date, rest = ''] = MOMENT.exec(text) ?? [];
  if (date === undefined) return { date: '', time: text };
  if (rest === '' || (WEEKDAY.test(rest) && !NO_WEEKDAY.test(rest))) return { date, time: '' };
  const [, time] = TIME.exec(rest) ?? [];
  return time === undefined ? { date: '', time: text } : { date, time };
}

/** Returns the date as YYYY-MM-DD if there is such a day in this century. */
function dateOf(year: string, month: number, day: string): string | undefined {
  const full = year.length === 2 ? `20${year}` : year;
  if (!/^20\d\d$/.test(full) || day.length > 2) return undefined;
  const date = new Date(Date.UTC(Number(full), month - 1, Number(day)));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day)
    ? date.toISOString().slice(0, 10)
    : undefined;
}

/** Reads the date of a cell; a year in four digits at the start is read in every order. */
export function readDate(cell: string, { order, months }: DateRules): string | undefined {
  const { date, time } = splitMoment(cell);
  const text = date === '' ? time : date;
  return numbered(text, order) ?? named(text, months);
}

const DAY_MONTH_YEAR = new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[-/._, ]*(?:(?:of|de) )?(${WORD})[-/._, ]*(?:de )?(\\d{4}|\\d{2})$`, 'iu'); // prettier-ignore
const MONTH_DAY_YEAR = new RegExp(`^(${WORD})[-/._ ]*(\\d{1,2})(?:st|nd|rd|th)?[-/._, ]+(\\d{4}|\\d{2})$`, 'iu'); // prettier-ignore

/** Reads `17-Nov-25`, `17th November 2025`, `Nov 17, 2025`. */
function named(text: string, months?: readonly string[]): string | undefined {
  const [, day, name, year] = DAY_MONTH_YEAR.exec(text) ?? [];
  const [, name2, day2, year2] = MONTH_DAY_YEAR.exec(text) ?? [];
  const month = monthOf(name ?? name2 ?? '', months);
  return month === undefined ? undefined : dateOf((year ?? year2)!, month, (day ?? day2)!);
}

function monthOf(name: string, months: readonly string[] = []): number | undefined {
  const plain = (text: string): string => text.toLowerCase().replaceAll('.', '').normalize();
  const key = plain(name);
  const own = months.findIndex((month) => plain(month) === key);
  if (own >= 0) return (own % 12) + 1;
  const english = ENGLISH.findIndex((month) => key.length > 2 && month.startsWith(key));
  return english < 0 ? undefined : english + 1;
}

/** Reads digits, with the same sign between all parts or none. */
function numbered(text: string, order: DateOrder): string | undefined {
  const [, one = '', , two = '', three = ''] =
    /^(\d{1,4})(\. |[-/._ ])(\d{1,2})\2(\d{1,4})\.?$/.exec(text) ?? [];
  if (one !== '') return inOrder(one.length === 4 ? 'ymd' : order, one, two, three);
  const cut = (at: number, by: DateOrder): string | undefined =>
    inOrder(by, text.slice(0, at), text.slice(at, at + 2), text.slice(at + 2));
  if (/^\d{8}$/.test(text)) return cut(4, 'ymd') ?? cut(2, order);
  return /^\d{6}$/.test(text) ? cut(2, order) : undefined;
}

function inOrder(order: DateOrder, ...parts: readonly string[]): string | undefined {
  const [year = '', month, day = ''] = ['y', 'm', 'd'].map((unit) => parts[order.indexOf(unit)]);
  return dateOf(year, Number(month), day);
}

export const nextDay = (date: string): string =>
  new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);

/** The orders in which every date of a file can be read. */
export const ordersOf = (cells: Iterable<string>, months?: readonly string[]): DateOrder[] =>
  waysToRead(DATE_ORDERS, cells, (cell, order) => readDate(cell, { order, months }));

/** Finds what may be a date, also within what is none: `Marina-1_2025-10-15`. */
const IN_TEXT = new RegExp(`(?<!\\d)(?=(${dateWith('\\d{4}')})(?!\\d))`, 'giu');
/** Names and titles are short; what is longer would cost much to look at. */
const MAX_TITLE_LENGTH = 300;

/** Finds the dates with a year of four digits in a name or a title. */
export function datesIn(
  text: string,
  order: DateOrder | undefined,
  months?: readonly string[],
): { texts: string[]; rest: string } {
  const orders = order === undefined ? DATE_ORDERS : [order];
  const whole = text.slice(0, MAX_TITLE_LENGTH);
  const texts = [...whole.matchAll(IN_TEXT)].flatMap(([, found = '']) =>
    orders.some((each) => readDate(found, { order: each, months })) ? [found] : [],
  );
  return { texts, rest: texts.reduce((left, each) => left.replace(each, ' '), whole) };
}
