/** In which order a source writes day, month and year. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

export const DATE_ORDERS: readonly DateOrder[] = ['ymd', 'dmy', 'mdy'];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Days of a spreadsheet are counted from this one. */
const SPREADSHEET_EPOCH = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;

/** No date is longer; what is would cost much to look at. */
const MAX_LENGTH = 60;

const DAYS = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?';
const WEEKDAY = new RegExp(`^${DAYS},?\\s+|,?\\s*\\(?${DAYS}\\)?$`, 'gi');
const MONTH = `(?:${MONTHS.join('|')})[a-z]*\\.?`;
const DAY = '\\d{1,2}(?:st|nd|rd|th)?';
const BETWEEN = '(?:\\. |[-/._ ])';

/** What looks like a date, with a year of these digits. */
const dateWith = (year: string): string =>
  `(?:\\d{4}${BETWEEN}\\d{1,2}${BETWEEN}\\d{1,2}|\\d{1,2}${BETWEEN}\\d{1,2}${BETWEEN}${year}|\\d{8}|` +
  `${DAY}[-/._ ]*${MONTH}[-/._ ,]*${year}|${MONTH}[-/._ ]*${DAY}[-/._ ,]+${year})(?!\\d)`;
const DATE = dateWith('(?:\\d{4}|\\d{2})');
const LONG_DATE = dateWith('\\d{4}');

/** The date before a time, with what is between them. */
const DATE_BEFORE_TIME = `(?:${DAYS},?\\s+)?${DATE}(?:T|,?\\s+)`;
const TIME =
  '(?:\\d{1,2}(?:[:.h]\\d{2}){0,2}(?:\\.\\d+)?\\s*(?:[ap]\\.?\\s?m?\\.?|hrs?|uhr|h)?|\\d{4})';
const TO = '\\s*(?:[-–—~/]|\\b(?:to|until|till|thru|bis)\\b)\\s*';
const MOMENT = new RegExp(
  `^(?:${DAYS},?\\s+)?(${DATE})(?:T|,?\\s+)${TIME}(?:${TO}(?:${DATE_BEFORE_TIME})?${TIME})?$`,
  'i',
);

const DATES_BEFORE_TIMES = new RegExp(`${DATE_BEFORE_TIME}(?=\\d)`, 'gi');
/** The shortest date with a time, as `1/1/25 9`. */
const MIN_MOMENT_LENGTH = 8;

/** Takes the dates before times out of a cell; returns them too. */
export function splitMoments(cell: string): { time: string; dates: ReadonlySet<string> } {
  const dates = new Set<string>();
  if (cell.length < MIN_MOMENT_LENGTH) return { time: cell, dates };
  const time = cell.replace(DATES_BEFORE_TIMES, (date) => (dates.add(date.trim()), ''));
  return { time, dates };
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

/** Takes off what stands beside the date in a cell: a day of the week, and a time. */
export function datePart(cell: string): string {
  if (cell.length > MAX_LENGTH) return '';
  if (/^[\d/.-]*$/.test(cell)) return cell;
  return (MOMENT.exec(cell)?.[1] ?? cell).replace(WEEKDAY, '').trim();
}

/** Reads a date in one order; a year in four digits at the start is read in every order. */
export function readDate(cell: string, order: DateOrder): string | undefined {
  const text = datePart(cell);
  return numbered(text, order) ?? named(text) ?? spreadsheetDay(text);
}

/** Reads `17-Nov-25`, `17 November 2025`, `Nov 17, 2025`. */
function named(text: string): string | undefined {
  const [, day, name, year] =
    /^(\d{1,2})(?:st|nd|rd|th)?[-/._ ]*([a-z]{3})[a-z]*\.?[-/._, ]*(\d{4}|\d{2})$/i.exec(text) ??
    [];
  const [, name2, day2, year2] =
    /^([a-z]{3})[a-z]*\.?[-/._ ]*(\d{1,2})(?:st|nd|rd|th)?[-/._, ]+(\d{4}|\d{2})$/i.exec(text) ??
    [];
  const month = MONTHS.indexOf((name ?? name2 ?? '').toLowerCase()) + 1;
  return month > 0 ? dateOf((year ?? year2)!, month, (day ?? day2)!) : undefined;
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

/** The orders in which every date of a file can be read; those that read the same count as one. */
export function ordersOf(cells: Iterable<string>): DateOrder[] {
  const all = [...cells];
  const readings = DATE_ORDERS.map((order) => all.map((cell) => readDate(cell, order)));
  return DATE_ORDERS.filter((_, index) => {
    const reading = readings[index]!;
    const earlier = readings.slice(0, index);
    return (
      !reading.includes(undefined) && !earlier.some((other) => other.join() === reading.join())
    );
  });
}

const IN_TEXT = new RegExp(`(?<!\\d)${LONG_DATE}`, 'gi');
const SHORT_IN_TEXT = /(?<!\d)\d{6}(?!\d)/g;
/** The day before `-22 Nov 2026`, which makes it a range of days. */
const FIRST_OF_RANGE = new RegExp(
  `(?<![\\da-z:])(${DAY})\\.?(?:[-/. ]?(?:${MONTH}|\\d{1,2}))?\\.?\\s*(?:[-–]|\\bto|\\bbis|\\band|&)\\s*$`,
  'i',
);

/** Finds texts that may be dates in a name or a title; six digits only if the order was told. */
export function datesIn(text: string, order?: DateOrder): { texts: string[]; rest: string } {
  const texts: string[] = [];
  const reads = order === undefined ? DATE_ORDERS : [order];
  const take = (found: string, at: number): string => {
    if (reads.every((each) => readDate(found, each) === undefined)) return found;
    const first = FIRST_OF_RANGE.exec(text.slice(Math.max(0, at - 20), at))?.[1];
    if (first !== undefined && /^\d{1,2}\D/.test(found))
      texts.push(found.replace(/^\d{1,2}/, String(parseInt(first, 10))));
    texts.push(found);
    return ' ';
  };
  let rest = text.replace(IN_TEXT, take);
  if (order !== undefined && texts.length === 0) rest = rest.replace(SHORT_IN_TEXT, take);
  return { texts, rest };
}

/** What is longer would cost much to look at. */
const MAX_TITLE_LENGTH = 300;
const UNTIL =
  '(?:[-–—_~]|\\b(?:to|until|till|thru|through|bis|end|ending)\\b[a-z ]*:?|(?:a|à|al|até|hasta)\\s)';
const PERIOD = new RegExp(
  `(${LONG_DATE})[\\sT\\d:.,apm]*${UNTIL}\\s*(?:${DAYS},?\\s+)?(${LONG_DATE})`,
  'i',
);
const PERIOD_WORDS = /(?<![a-z])(?:week(?:ly)?|month(?:ly)?|wtd|mtd|ytd|woche|monat)(?![a-z])/i;

/** Whether a name or a title says that the figures below it are those of several days. */
export function namesPeriod(text: string): boolean {
  if (PERIOD_WORDS.test(text)) return true;
  const [period, from = '', to = ''] = PERIOD.exec(text.slice(0, MAX_TITLE_LENGTH)) ?? [];
  if (period === undefined) return false;
  const days = DATE_ORDERS.map((order) => {
    const [first, last] = [from, to].map((each) => Date.parse(readDate(each, order) ?? ''));
    return (last! - first!) / DAY_MS;
  }).filter((length) => length >= 0);
  // A day of a restaurant that ends after midnight has the times with both dates.
  return days.length > 0 && Math.min(...days) > (/\d:\d\d/.test(period) ? 1 : 0);
}
