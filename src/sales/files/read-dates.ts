/** In which order a source writes day, month and year. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

export const DATE_ORDERS: readonly DateOrder[] = ['ymd', 'dmy', 'mdy'];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Days of a spreadsheet are counted from this one. */
const SPREADSHEET_EPOCH = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;

/** No date is longer; what is would cost much to look at. */
const MAX_LENGTH = 60;

const WEEKDAY = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+/i;
const WITH_TIME =
  /^(.*?\d)(?:T|,?\s+)(?:\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:\.\d+)?)?\s*(?:[ap]\.?\s?m\.?)?)$/i;

/** Returns the date as YYYY-MM-DD if there is such a day in this century. */
function dateOf(year: string, month: number, day: string): string | undefined {
  const full = year.length === 2 ? `20${year}` : year;
  if (!/^20\d\d$/.test(full)) return undefined;
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

/** Reads a date in one order; a year in four digits at the start is read in every order. */
export function readDate(cell: string, order: DateOrder): string | undefined {
  if (cell.length > MAX_LENGTH) return undefined;
  const text = (WITH_TIME.exec(cell)?.[1] ?? cell).replace(WEEKDAY, '').trim();
  const iso = /^(\d{4})[-/. _]?(\d{1,2})[-/. _]?(\d{1,2})$/.exec(text);
  const first =
    iso && (text.length !== 8 || /^\d{8}$/.test(text))
      ? inOrder.ymd(iso[1]!, iso[2]!, iso[3]!)
      : undefined;
  return first ?? named(text) ?? numbered(text, order) ?? spreadsheetDay(text);
}

/** Reads `17-Nov-25`, `17 November 2025`, `Nov 17, 2025`. */
function named(text: string): string | undefined {
  const [, day, name, year] =
    /^(\d{1,2})(?:st|nd|rd|th)?[-/. ]*([a-z]{3})[a-z]*\.?[-/., ]*(\d{4}|\d{2})$/i.exec(text) ?? [];
  const [, name2, day2, year2] =
    /^([a-z]{3})[a-z]*\.?[-/. ]*(\d{1,2})(?:st|nd|rd|th)?[-/., ]+(\d{4}|\d{2})$/i.exec(text) ?? [];
  const month = MONTHS.indexOf((name ?? name2 ?? '').toLowerCase()) + 1;
  return month > 0 ? dateOf((year ?? year2)!, month, (day ?? day2)!) : undefined;
}

function numbered(text: string, order: DateOrder): string | undefined {
  const parts = /^(\d{1,4})[-/. _](\d{1,2})[-/. _](\d{1,4})$/.exec(text);
  if (parts) return inOrder[order](parts[1]!, parts[2]!, parts[3]!);
  const lengths = order === 'ymd' ? [4, 2, 2] : [2, 2, 4];
  const short = /^\d{6}$/.test(text);
  if (!short && !/^\d{8}$/.test(text)) return undefined;
  const [one = 0, two = 0] = short ? [2, 2] : lengths;
  return inOrder[order](text.slice(0, one), text.slice(one, one + two), text.slice(one + two));
}

function spreadsheetDay(text: string): string | undefined {
  if (!/^\d{5}(\.0*)?$/.test(text)) return undefined;
  const date = new Date(SPREADSHEET_EPOCH + Number(text) * DAY_MS).toISOString().slice(0, 10);
  return date.startsWith('20') ? date : undefined;
}

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

const MONTH = `(?:${MONTHS.join('|')})[a-z]*`;
const IN_TEXT = new RegExp(
  '(?<!\\d)(?:\\d{4}[-/._ ]\\d{1,2}[-/._ ]\\d{1,2}|\\d{1,2}[-/._ ]\\d{1,2}[-/._ ]\\d{4}|\\d{8}|' +
    `\\d{1,2}[-/._ ]?${MONTH}[-/._ ,]*\\d{4}|${MONTH}[-/._ ]\\d{1,2}[-/._ ,]+\\d{4})(?!\\d)`,
  'gi',
);
const SHORT_IN_TEXT = /(?<!\d)\d{6}(?!\d)/g;

/** Finds texts that may be dates in a name or a title; six digits only if the order was told. */
export function datesIn(text: string, order?: DateOrder): { texts: string[]; rest: string } {
  const texts: string[] = [];
  const take = (found: string): string => {
    const reads = order === undefined ? DATE_ORDERS : [order];
    const isDate = reads.some((each) => readDate(found, each) !== undefined);
    if (!isDate) return found;
    texts.push(found);
    return ' ';
  };
  let rest = text.replace(IN_TEXT, take);
  if (order !== undefined && texts.length === 0) rest = rest.replace(SHORT_IN_TEXT, take);
  return { texts, rest };
}
