/** In which order a source writes day, month and year. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

export const DATE_ORDERS: readonly DateOrder[] = ['ymd', 'dmy', 'mdy'];

/** Languages whose names of months are known. */
const LANGUAGES = ['en', 'de', 'es', 'fr', 'id', 'it', 'ms', 'nl', 'pt', 'th'];

/** The names of months, short and long, each with its number. */
const MONTH_NAMES = LANGUAGES.flatMap((language) =>
  (['long', 'short'] as const).flatMap((month) => {
    const names = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
    return Array.from(
      { length: 12 },
      (_, index) => [names.format(Date.UTC(2000, index)), index + 1] as const,
    );
  }),
);
const monthKey = (name: string): string => name.toLowerCase().replaceAll('.', '').normalize();
const MONTHS = new Map(MONTH_NAMES.map(([name, number]) => [monthKey(name), number]));

/** Days of a spreadsheet are counted from this one. */
const SPREADSHEET_EPOCH = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;

/** No date is longer; what is would cost much to look at. */
const MAX_LENGTH = 60;

const DAYS = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?';
const WEEKDAY = new RegExp(`^${DAYS},?\\s+|,?\\s*\\(?${DAYS}\\)?$`, 'gi');
/** The longest names first, as some begin with others. */
const MONTH = `(?:${[...new Set(MONTH_NAMES.map(([name]) => name.replaceAll('.', '\\.?')))]
  .sort((one, other) => other.length - one.length)
  .join('|')})(?![a-z])\\.?`;
const DAY = '\\d{1,2}(?:st|nd|rd|th)?';
const BETWEEN = '(?:\\. |[-/._ ])';
/** What stands beside the name of a month. */
const BESIDE = '(?:[-/._, ]|\\b(?:de|of)\\b)*';

/** What looks like a date, with a year of these digits; eight digits may have a time behind them. */
const dateWith = (year: string): string =>
  `(?:(?:\\d{4}${BETWEEN}\\d{1,2}${BETWEEN}\\d{1,2}|\\d{1,2}${BETWEEN}\\d{1,2}${BETWEEN}${year}|\\d{8}|` +
  `${DAY}${BESIDE}${MONTH}${BESIDE}${year}|${MONTH}[-/._ ]*${DAY}[-/._ ,]+${year})(?!\\d)|` +
  '\\d{8}(?=(?:\\d{4}|\\d{6})(?!\\d)))';
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

/** Turns a year of the Buddhist calendar, as 2568 for 2025, into one of ours. */
const inCommonEra = (year: string): string =>
  /^2[56]\d\d$/.test(year) ? String(Number(year) - 543) : year;

/** Returns the date as YYYY-MM-DD if there is such a day in this century. */
function dateOf(year: string, month: number, day: string): string | undefined {
  const full = year.length === 2 ? `20${year}` : inCommonEra(year);
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

/** `2025年11月17日`, with the day of the week behind it. */
const EAST_ASIAN =
  /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]?\s*(?:\(?(?:星期|周|週)?[一二三四五六日天月火水木金土월화수목금토일]?\)?)?$/;

/** Takes off what stands beside the date in a cell: a day of the week, and a time. */
export function datePart(cell: string): string {
  if (cell.length > MAX_LENGTH) return '';
  if (/[年년]/.test(cell)) return cell.replace(EAST_ASIAN, '$1-$2-$3').trim();
  if (/^[\d/.-]*$/.test(cell)) return cell;
  return (MOMENT.exec(cell)?.[1] ?? cell).replace(WEEKDAY, '').trim();
}

/** Reads a date in one order; a year in four digits at the start is read in every order. */
export function readDate(cell: string, order: DateOrder): string | undefined {
  const text = datePart(cell);
  return numbered(text, order) ?? named(text) ?? spreadsheetDay(text);
}

const DAY_MONTH_YEAR = new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?${BESIDE}(${MONTH})${BESIDE}(\\d{4}|\\d{2})$`, 'i'); // prettier-ignore
const MONTH_DAY_YEAR = new RegExp(`^(${MONTH})[-/._ ]*(\\d{1,2})(?:st|nd|rd|th)?[-/._, ]+(\\d{4}|\\d{2})$`, 'i'); // prettier-ignore

/** Reads `17-Nov-25`, `17 November 2025`, `17 de noviembre de 2025`, `Nov 17, 2025`. */
function named(text: string): string | undefined {
  const [, day, name, year] = DAY_MONTH_YEAR.exec(text) ?? [];
  const [, name2, day2, year2] = MONTH_DAY_YEAR.exec(text) ?? [];
  const key = monthKey(name ?? name2 ?? '');
  const month = MONTHS.get(key);
  return month === undefined ? undefined : dateOf((year ?? year2)!, month, (day ?? day2)!);
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

const NAMED_SHORT = `${DAY}[-/._ ]?${MONTH}[-/._ ]?\\d{2}(?![\\d:.,h])`;
const IN_TEXT = new RegExp(`(?<!\\d)(?:${LONG_DATE}|${NAMED_SHORT})`, 'gi');
const SHORT_IN_TEXT = new RegExp(`(?<!\\d)(?:${dateWith('\\d{2}')}|\\d{6}(?!\\d))`, 'gi');
/** Words before the number of a machine or an outlet, which is no day. */
const MACHINES = 'pos|till|store|shop|outlet|branch|terminal|kasse|register|station|no|nr|z|#';
/** The day before `-22 Nov 2026`, which makes it a range of days. */
const FIRST_OF_RANGE = new RegExp(
  `(?<![\\da-z:]|(?:${MACHINES})[-_. #]*)(${DAY})\\.?(?:[-/. ]?${MONTH}|[-/. ]\\d{1,2})?\\.?\\s*(?:[-–]|\\bto|\\bbis|\\band|&)\\s*$`,
  'i',
);

/** Finds texts that may be dates in a name or a title; short ones only if the order was told. */
export function datesIn(text: string, order?: DateOrder): { texts: string[]; rest: string } {
  const texts: string[] = [];
  const reads = order === undefined ? DATE_ORDERS : [order];
  const take = (found: string, at: number): string => {
    if (reads.every((each) => readDate(found, each) === undefined)) return found;
    const first = FIRST_OF_RANGE.exec(text.slice(Math.max(0, at - 20), at))?.[1];
    if (first !== undefined && /^\D*\d{1,2}\D/.test(found))
      texts.push(found.replace(/\d{1,2}/, String(parseInt(first, 10))));
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
const PERIOD_WORDS = new RegExp(
  '(?<![a-z(]|day of (?:the )?|vs\\.? (?:last )?)(?:week(?:ly)?|month(?:ly)?(?! target)|wtd|mtd|ytd|woche|kw ?\\d+|monat|' +
    '(?:last|past) (?:[2-9]|\\d\\d+) days|' +
    `days\\W+(?:[2-9]|\\d\\d)|(?<!(?:${MACHINES})[-_. #]*|[\\d:])\\d{1,2} ?[-–] ?\\d{1,2} ${MONTH})(?![a-z\\d])|` +
    `(?<!\\d(?:st|nd|rd|th)?${BESIDE})(?<![a-z])${MONTH}[ ,]+20\\d\\d(?!\\d)`,
  'i',
);

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

/** Words beside a date that say when a report was made, not which day it is of. */
const PRINTED =
  /print|generat|creat|export|download|updated|issued|report(?:ed)? (?:on|at|date|time)|run (?:on|at|date|time)|as of|gedruckt|erstellt|cetak|impr[ei]|打印|พิมพ์/i;
const SHORT_DATE = new RegExp(`(?<![\\dv]|\\d[ .-])${dateWith('\\d{2}')}(?![ .-]\\d)`, 'gi');
/** Words beside a date that is not that of the figures. */
const BESIDE_DAY = /\b(?:opened|since|compared|versus|vs|previous|prior)\b/i;
const MORNING = /^[T,\s]+(?:(?:0?\d|1[01]):\d\d(?!\s*p)|12:\d\d\s*a)/i;
/** A time at which no day of business begins or ends. */
const ODD_TIME = /^[T,\s]+\d{1,2}[:.h](?!00|59)\d\d/;
/** The time of a print has seconds. */
const STAMP = /^\D*\d+\D+\d+\D+\d+[T,\s]+\d{1,2}:\d\d:\d\d\D*$/;
/** What is further away is the number of something else, or a date that a spreadsheet has put there. */
const MAX_DAYS_APART = 400;

/** The readings of a date that are near a day. */
export const datesNear = (date: string, day: string): string[] =>
  DATE_ORDERS.flatMap((order) => readDate(date, order) ?? []).filter(
    (other) => Math.abs(Date.parse(other) - Date.parse(day)) < MAX_DAYS_APART * DAY_MS,
  );

/**
 * Finds a date in a title that is not this day: the figures may be of that one, or of several days.
 * With a time of the morning it may be the end of this day.
 */
export function otherDateIn(text: string, day: string): string | undefined {
  const title = text.slice(0, MAX_TITLE_LENGTH);
  if (BESIDE_DAY.test(title)) return undefined;
  const isPrinted = PRINTED.test(title) || STAMP.test(title);
  const found = [...datesIn(title).texts, ...(title.match(SHORT_DATE) ?? [])];
  return found.find((date) => {
    const readings = datesNear(date, day);
    const behind = title.slice(title.indexOf(date) + date.length);
    const isEnd = MORNING.test(behind) && readings.includes(nextDay(day));
    // No report is printed before its day.
    const isLater = readings.every((other) => other > day);
    const isStamp = isLater && (isPrinted || ODD_TIME.test(behind));
    return readings.length > 0 && !readings.includes(day) && !isEnd && !isStamp;
  });
}
