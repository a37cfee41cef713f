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

/** Days of a spreadsheet are counted from this one. */
const SPREADSHEET_EPOCH = Date.UTC(1899, 11, 30);
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

const inOrder: Readonly<
  Record<DateOrder, (one: string, two: string, three: string) => string | undefined>
> = {
  ymd: (year, month, day) => dateOf(year, Number(month), day),
  dmy: (day, month, year) => dateOf(year, Number(month), day),
  mdy: (month, day, year) => dateOf(year, Number(month), day),
};

/** Reads the date of a cell; a year in four digits at the start is read in every order. */
export function readDate(cell: string, { order, months }: DateRules): string | undefined {
  const { date, time } = splitMoment(cell);
  const text = date === '' ? time : date;
  return numbered(text, order) ?? named(text, months) ?? spreadsheetDay(text);
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
  const key = (text: string): string => text.toLowerCase().replaceAll('.', '').normalize();
  const own = months.findIndex((month) => key(month) === key(name));
  if (own >= 0) return (own % 12) + 1;
  const isShort = /^(?:\p{L}{3}|sept)$/u.test(key(name));
  const english = ENGLISH.findIndex(
    (month) => month === key(name) || (isShort && month.startsWith(key(name))),
  );
  return english < 0 ? undefined : english + 1;
}

/** Reads digits, with the same sign between all parts or none. */
function numbered(text: string, order: DateOrder): string | undefined {
  const [, one = '', , two = '', three = ''] =
    /^(\d{1,4})(\. |[-/._ ])(\d{1,2})\2(\d{1,4})\.?$/.exec(text) ?? [];
  if (one !== '') return inOrder[one.length === 4 ? 'ymd' : order](one, two, three);
  const cut = (first: number, by: DateOrder): string | undefined =>
    inOrder[by](text.slice(0, first), text.slice(first, first + 2), text.slice(first + 2));
  if (/^\d{8}$/.test(text)) return cut(4, 'ymd') ?? cut(2, order);
  return /^\d{6}$/.test(text) ? cut(2, order) : undefined;
}

function spreadsheetDay(text: string): string | undefined {
  if (!/^\d{5}(\.0*)?$/.test(text)) return undefined;
  const date = new Date(SPREADSHEET_EPOCH + Number(text) * DAY_MS).toISOString().slice(0, 10);
  return date.startsWith('20') ? date : undefined;
}

export const nextDay = (date: string): string =>
  new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);

/** The orders in which every date of a file can be read. */
export const ordersOf = (cells: Iterable<string>, months?: readonly string[]): DateOrder[] =>
  waysToRead(DATE_ORDERS, cells, (cell, order) => readDate(cell, { order, months }));

const END = '(?!\\d)|(?=\\d{4}(?:\\d\\d)?(?!\\d))';
const IN_TEXT = new RegExp(`(?<!\\d)${dateWith('\\d{4}')}(?:${END})`, 'giu');
const SHORT_IN_TEXT = new RegExp(`(?<!\\d)(?:${dateWith('\\d{2}')}|\\d{6})(?!\\d)`, 'giu');
/** Names and titles are short; what is longer would cost much to look at. */
const MAX_TITLE_LENGTH = 300;

/** Finds the dates in a name or a title; short ones only if the order is declared. */
export function datesIn(
  text: string,
  order: DateOrder | undefined,
  months?: readonly string[],
): { texts: string[]; rest: string } {
  const texts: string[] = [];
  const isDate = (found: string): boolean =>
    (order === undefined ? DATE_ORDERS : [order]).some(
      (each) => readDate(found, { order: each, months }) !== undefined,
    );
  let rest = text.slice(0, MAX_TITLE_LENGTH);
  const collect = (pattern: RegExp): void => {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(rest); match; match = pattern.exec(rest)) {
      const [found] = match;
      pattern.lastIndex = match.index + 1;
      if (!isDate(found)) continue;
      texts.push(found);
      rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + found.length)}`;
    }
  };
  collect(IN_TEXT);
  if (order !== undefined && texts.length === 0) collect(SHORT_IN_TEXT);
  return { texts, rest };
}
