import { type Findings, wayToRead } from './findings.js';
import type { DateOrder } from './profile.js';

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

/**
 * Splits a cell at the end of its date, without a day of the week and a zone; what is no date is
 * taken for a time.
 */
export function splitMoment(cell: string): { date: string; time: string } {
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

/** What may stand beside the day, the month and the year. */
const FILLING = /^(?:st|nd|rd|th|of|de)$/i;

/** Reads the date of a cell; a year in four digits at the start is read in every order. */
export function readDate(cell: string, { order, months }: DateRules): string | undefined {
  const { date, time } = splitMoment(cell);
  const text = date === '' ? time : date;
  if (/^\d{8}$/.test(text)) return cut(text, 4, 'ymd') ?? cut(text, 2, order);
  if (/^\d{6}$/.test(text)) return cut(text, 2, order);
  const all = date.match(/\d+|[\p{L}\p{M}]+/gu) ?? [];
  const parts = all.filter((part) => !FILLING.test(part));
  if (parts.length !== 3) return undefined;
  const at = parts.findIndex((part) => /\D/.test(part));
  if (at < 0 && !/^\d+(\D+)\d+\1\d+$/.test(date)) return undefined;
  if (at < 0) return inOrder(parts[0]?.length === 4 ? 'ymd' : order, parts);
  const [day = '', year = ''] = parts.toSpliced(at, 1);
  return dateOf(year, monthOf(parts[at]!, months), day);
}

const cut = (digits: string, at: number, order: DateOrder): string | undefined =>
  inOrder(order, [digits.slice(0, at), digits.slice(at, at + 2), digits.slice(at + 2)]);

function inOrder(order: DateOrder, parts: readonly string[]): string | undefined {
  const [year = '', month, day = ''] = ['y', 'm', 'd'].map((unit) => parts[order.indexOf(unit)]);
  return dateOf(year, Number(month), day);
}

/** Returns the number of a month; 0 if there is none of the name. */
function monthOf(name: string, months: readonly string[] = []): number {
  const plain = (text: string): string => text.toLowerCase().replaceAll('.', '').normalize();
  const key = plain(name);
  const own = months.findIndex((month) => plain(month) === key);
  const english = ENGLISH.findIndex((month) => key.length > 2 && month.startsWith(key));
  return own < 0 ? english + 1 : (own % 12) + 1;
}

export const nextDay = (date: string): string =>
  new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);

const LABELS = { ymd: 'year first', dmy: 'day first', mdy: 'month first' } as const;

/** Returns the order of all dates, or asks. */
export const dateOrderOf = (
  cells: Iterable<string>,
  where: string,
  months: readonly string[] | undefined,
  findings: Findings,
): DateOrder =>
  wayToRead(findings, where, {
    ...{ option: 'date.order', ways: DATE_ORDERS, cells },
    read: (cell, order) => readDate(cell, { order, months }),
    label: (order) => LABELS[order],
  });

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
