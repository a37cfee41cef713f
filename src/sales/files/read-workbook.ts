import { strFromU8, strToU8, Unzip, UnzipInflate, zipSync } from 'fflate';
import readWorkbookSheets from 'read-excel-file/universal';
import { plainDigits } from '../fields/decimals.js';
import {
  type Cell,
  FileRefused,
  isBlank,
  MAX_CELL_LENGTH,
  MAX_CELLS,
  type Row,
  WrittenNumber,
} from './table.js';

/** Limits of a workbook, which a year of a restaurant does not reach. */
const MAX_INFLATED_BYTES = 128 * 1024 * 1024;
const MAX_ENTRIES = 1_000;
const MAX_COLUMNS = 1_000;
const MAX_ROWS = 300_000;
/** The most bytes of a part that holds no cells, such as the styles. */
const MAX_SIDE_PART_BYTES = 8 * 1024 * 1024;
/** Tags that do not end, or have very many attributes: the reader would need minutes for them. */
const HOSTILE_TAG = /<[^<>]{10000}|<[^<>]*</;
/** A text that no cell holds, in which a character takes five; the reader takes very long for it. */
const HOSTILE_TEXT = new RegExp(`<[^<]{${5 * MAX_CELL_LENGTH}}`);
/** A row with cells that a filter or a person has hidden, or made so low that nobody sees it. */
const ROW = /<(?:\w+:)?row\b[^>]*[^/]>/g;
const HIDDEN = /\bhidden\s*=\s*["'](?:1|true)["']|\bht\s*=\s*["']0(?:\.0*)?["']/;

/** How much is inflated at a time: a bomb grows a thousandfold. */
const PIECE = 4 * 1024;

/** The digits that a spreadsheet shows and keeps of a number. */
const SIGNIFICANT_DIGITS = 15;
const HOUR_MS = 3_600_000;

/** The day 0 of a workbook, and of one that counts from 1904. */
const FIRST_DAY = Date.UTC(1899, 11, 30);
const FIRST_DAY_OF_1904 = Date.UTC(1904, 0, 1);
/** Times of this length or more are dates. */
const MAX_TIME_MS = 366 * 24 * HOUR_MS;

const SHEET_PART = 'xl/worksheets/';
const WORKBOOK_PART = 'xl/workbook.xml';

/** Zips that are no workbook of Excel, by a part that each has. */
const OTHER_ZIPS: readonly (readonly [part: RegExp, what: string])[] = [
  [/^content\.xml$/, 'is an OpenDocument file (ods): save it as an Excel file (xlsx) or as "CSV UTF-8"'],
  [/^xl\/workbook\.bin$/, 'is a binary Excel file (xlsb): save it as an Excel file (xlsx)'],
  [/vbaProject\.bin$/, 'has macros: save it as an Excel file without macros (xlsx)'],
]; // prettier-ignore

/**
 * Reads every sheet of a workbook (xlsx) that is shown, and the numbers of the rows that a filter or
 * a person has hidden. A hostile workbook is refused before that.
 */
export async function readWorkbook(bytes: Uint8Array) {
  const { parts, names } = await inflateParts(bytes);
  for (const [pattern, what] of OTHER_ZIPS)
    if (names.some((name) => pattern.test(name))) throw new FileRefused(what);
  const book = parts[WORKBOOK_PART];
  if (!book)
    throw new FileRefused('is a zip without a workbook: unpack it, or export the report as CSV');
  const hidden: string[] = [];
  for (const [name, content] of Object.entries(parts)) {
    const xml = strFromU8(content, true);
    if (HOSTILE_TAG.test(xml)) throw damaged();
    if (HOSTILE_TEXT.test(xml)) throw tooLarge();
    if (!name.startsWith(SHEET_PART)) continue;
    for (const [index, [tag]] of [...xml.matchAll(ROW)].entries())
      if (HIDDEN.test(tag))
        hidden.push(/\br\s*=\s*["'](\d+)["']/.exec(tag)?.[1] ?? String(index + 1));
    parts[name] = plainSheet(content);
  }
  const info = strFromU8(book);
  const is1904 = /\bdate1904\s*=\s*["'](1|true)["']/.test(info);
  parts[WORKBOOK_PART] = strToU8(info.replace(/\bdate1904\s*=\s*["']true["']/, 'date1904="1"'));
  // The reader takes a zip, so the parts are packed again, without compression.
  const packed = zipSync(parts, { level: 0 });
  const sheets = await readWorkbookSheets(packed.buffer, { parseNumber }).catch(() => {
    throw damaged();
  });
  const tags = [...info.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)].map(([tag]) => tag);
  const isHidden = (index: number): boolean =>
    /\bstate\s*=\s*["']\w*hidden/i.test(tags[index] ?? '');
  const firstDay = is1904 ? FIRST_DAY_OF_1904 : FIRST_DAY;
  return {
    hidden,
    tables: sheets
      .filter((_, index) => !isHidden(index))
      .map(({ sheet, data }) => ({ sheet, rows: rowsOf(data, firstDay) })),
    notes: sheets
      .filter(({ data }, index) => isHidden(index) && data.length > 0)
      .map(({ sheet }) => `sheet ${sheet}: not read, it is hidden`),
  };
}

/** Inflates the parts that are read, piece by piece: a zip may lie about their sizes. */
async function inflateParts(bytes: Uint8Array) {
  const names: string[] = [];
  const pieces = new Map<string, Uint8Array<ArrayBuffer>[]>();
  let inflated = 0;
  const unzip = new Unzip((file) => {
    if (names.push(file.name) > MAX_ENTRIES) throw tooLarge();
    if (!/\.(xml|rels)$/.test(file.name)) return;
    const own: Uint8Array<ArrayBuffer>[] = [];
    pieces.set(file.name, own);
    const isLong = /^xl\/(worksheets|sharedS)/.test(file.name);
    let left = isLong ? MAX_INFLATED_BYTES : MAX_SIDE_PART_BYTES;
    file.ondata = (error, piece) => {
      if (error) throw error;
      left -= piece.length;
      inflated += piece.length;
      if (left < 0 || inflated > MAX_INFLATED_BYTES) throw tooLarge();
      own.push(piece);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += PIECE)
      unzip.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw new FileRefused('is a damaged zip: save or load it again');
  }
  const parts: Record<string, Uint8Array> = {};
  for (const [name, own] of pieces) parts[name] = new Uint8Array(await new Blob(own).arrayBuffer());
  return { parts, names };
}

const damaged = (): FileRefused =>
  new FileRefused('is a damaged Excel file: save it again, or as "CSV UTF-8"');

const tooLarge = (): FileRefused =>
  new FileRefused('holds too much for a workbook: save the sheet with the sales as "CSV UTF-8"');

/**
 * Refuses formulas, whose results may be stale, and a cell far away from all others. Errors such as
 * `#REF!` and dates in text become texts: the reader drops the ones and shifts the others. A time is
 * a double just below or above its millisecond, which the reader cuts: it is put above.
 */
function plainSheet(content: Uint8Array): Uint8Array {
  const xml = strFromU8(content, true);
  if (/<(\w+:)?f[\s/>]/.test(xml))
    throw new FileRefused('has formulas: paste them as values, or save it as "CSV UTF-8"');
  let [columns, rows] = [0, 0];
  for (const [, letters = '', digits] of xml.matchAll(/\br\s*=\s*["']([A-Z]*)(\d+)["']/gi)) {
    const column = letters.split('').reduce((sum, each) => sum * 26 + parseInt(each, 36) - 9, 0);
    columns = Math.max(columns, column);
    rows = Math.max(rows, Number(digits));
  }
  if (columns > MAX_COLUMNS || rows > MAX_ROWS || columns * rows > MAX_CELLS) throw tooLarge();
  const plain = xml
    .replace(/(<(?:\w+:)?c\s[^<>]*?\bt\s*=\s*)(["'])[ed]\2/g, '$1"str"')
    .replace(/(?<=<(?:\w+:)?v>)\d{1,5}\.\d{8,}(?=<)/g, (digits) =>
      String(Number(digits) * (1 + Number.EPSILON)),
    );
  return strToU8(plain, true);
}

/** Spreadsheets keep 0.1 as 0.10000000000000001: only the digits that they show count. */
const parseNumber = (text: string): WrittenNumber =>
  new WrittenNumber(plainDigits(Number(Number(text).toPrecision(SIGNIFICANT_DIGITS))));

const rowsOf = (data: readonly (readonly unknown[])[], firstDay: number): Row[] =>
  data
    .map((cells, index) => ({
      line: index + 1,
      cells: cells.map((cell) => cellOf(cell, firstDay)),
    }))
    .filter((row) => !isBlank(row));

function cellOf(value: unknown, firstDay: number): Cell {
  if (value instanceof WrittenNumber) return value;
  if (value instanceof Date) return dateText(value, firstDay);
  if (typeof value === 'boolean') return String(value).toUpperCase();
  if (typeof value !== 'string') return '';
  if (value.length > MAX_CELL_LENGTH) throw tooLarge();
  return value.trim().replace(/^'/, '');
}

/** Writes a date with its time; a time is a fraction of a day, or more than a day as `25:00`. */
function dateText(date: Date, firstDay: number): string {
  const [day = '', whole = ''] = date.toISOString().slice(0, 19).split('T');
  const time = whole.replace(/(?<=:\d\d):00$/, '');
  const elapsed = date.getTime() - firstDay;
  return elapsed >= 0 && elapsed < MAX_TIME_MS
    ? `${Math.floor(elapsed / HOUR_MS)}${time.slice(time.indexOf(':'))}`
    : `${day} ${time}`;
}
