import type { UnzipFileInfo } from 'fflate';
import { strFromU8, strToU8, Unzip, UnzipInflate, unzipSync, zipSync } from 'fflate';
import readWorkbookSheets from 'read-excel-file/universal';
import { plainDigits } from './decimals.js';
import {
  type Cell,
  FileRefused,
  isBlank,
  MAX_CELL_LENGTH,
  MAX_CELLS,
  type Row,
  type Table,
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
/** The text of a cell in XML, in which a character may take five; the reader takes very long for more. */
const MAX_TEXT_LENGTH = 5 * MAX_CELL_LENGTH;
/** A row that a filter or a person has hidden, or made so low that nobody sees it. */
const HIDDEN = /\bhidden\s*=\s*["'](?:1|true)["']|\bht\s*=\s*["']0(?:\.0*)?["']/;

/** How much is inflated at a time: a bomb grows a thousandfold. */
const PIECE = 4 * 1024;

/** The digits that a spreadsheet shows and keeps of a number. */
const SIGNIFICANT_DIGITS = 15;
const HOUR_MS = 3_600_000;

/** The day 0 of a workbook, and of one that counts from 1904. */
const FIRST_DAYS = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)] as const;
/** Times of this length or more are dates. */
const MAX_TIME_MS = 366 * 24 * HOUR_MS;

const SHEET_PART = 'xl/worksheets/';
const WORKBOOK_PART = 'xl/workbook.xml';

/** Zips that are no workbook of Excel, by a part that each has. */
const OTHER_ZIPS: readonly (readonly [part: string, what: string])[] = [
  ['content.xml', 'is an OpenDocument file (ods): save it as an Excel file (xlsx) or as "CSV UTF-8"'],
  ['xl/workbook.bin', 'is a binary Excel file (xlsb): save it as an Excel file (xlsx)'],
  ['word/document.xml', 'is a text document (docx): export the report as CSV or as an Excel file (xlsx)'],
]; // prettier-ignore

/** The tables of a workbook, and what a person should know of it. */
export interface Workbook {
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  /** The rows that a filter or a person has hidden. */
  readonly hidden: readonly string[];
}

/** Reads every sheet of a workbook (xlsx) that is shown. A hostile one is refused before that. */
export async function readWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const sizes = listEntries(bytes);
  const other = OTHER_ZIPS.find(([part]) => sizes.has(part));
  if (other) throw new FileRefused(other[1]);
  if (!sizes.has(WORKBOOK_PART))
    throw new FileRefused('is a zip: unpack it and import the files in it');
  if ([...sizes.keys()].some((name) => name.endsWith('vbaProject.bin')))
    throw new FileRefused('has macros: save it as an Excel file without macros (xlsx)');
  const parts = inflateParts(bytes, sizes);
  const hidden: string[] = [];
  for (const [name, content] of Object.entries(parts)) {
    const xml = strFromU8(content, true);
    if (HOSTILE_TAG.test(xml)) throw damaged();
    if (hasLongText(xml)) throw tooLarge();
    if (!name.startsWith(SHEET_PART)) continue;
    hidden.push(...hiddenRows(xml));
    parts[name] = plainSheet(content);
  }
  const info = strFromU8(parts[WORKBOOK_PART] ?? new Uint8Array());
  const is1904 = /\bdate1904\s*=\s*["'](1|true)["']/.test(info);
  if (is1904)
    parts[WORKBOOK_PART] = strToU8(info.replace(/\bdate1904\s*=\s*["']true["']/, 'date1904="1"'));
  // The reader takes a zip, so the parts are packed again, without compression.
  const packed = zipSync(parts, { level: 0 });
  const parseNumber = (text: string): WrittenNumber => workbookNumber(text, is1904);
  const sheets = await readWorkbookSheets(packed.buffer, { parseNumber }).catch(() => {
    throw damaged();
  });
  const tags = [...info.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)].map(([tag]) => tag);
  const isHidden = (index: number): boolean =>
    /\bstate\s*=\s*["']\w*hidden/i.test(tags[index] ?? '');
  return {
    hidden,
    tables: sheets
      .filter((_, index) => !isHidden(index))
      .map(({ sheet, data }) => ({ sheet, rows: rowsOf(data, FIRST_DAYS[is1904 ? 1 : 0]) })),
    notes: sheets
      .filter(({ data }, index) => isHidden(index) && data.length > 0)
      .map(({ sheet }) => `sheet ${sheet}: not read, it is hidden`),
  };
}

/** Whether there is a text that no cell holds. */
function hasLongText(xml: string): boolean {
  for (let at = 0; at >= 0;) {
    const next = xml.indexOf('<', at + 1);
    if ((next < 0 ? xml.length : next) - at > MAX_TEXT_LENGTH) return true;
    at = next;
  }
  return false;
}

/** Returns the rows with cells that a sheet hides. */
const hiddenRows = (xml: string): string[] =>
  [...xml.matchAll(/<(?:\w+:)?row\b[^>]*[^/]>/g)].flatMap(([tag], index) =>
    HIDDEN.test(tag) ? [/\br\s*=\s*["'](\d+)["']/.exec(tag)?.[1] ?? String(index + 1)] : [],
  );

/** Lists names and sizes in the zip by its directory, and refuses one that would not fit. */
function listEntries(bytes: Uint8Array): Map<string, number> {
  const sizes = new Map<string, number>();
  let inflated = 0;
  const filter = ({ name, originalSize }: UnzipFileInfo): boolean => {
    inflated += originalSize;
    sizes.set(name, originalSize);
    const isLarge = originalSize > MAX_SIDE_PART_BYTES && !/^xl\/(worksheets|sharedS)/.test(name);
    if (isLarge || sizes.size > MAX_ENTRIES || inflated > MAX_INFLATED_BYTES) throw tooLarge();
    return false;
  };
  passOn(() => unzipSync(bytes, { filter }));
  return sizes;
}

/** Inflates the parts that are read, piece by piece: a directory may lie about their sizes. */
function inflateParts(
  bytes: Uint8Array,
  sizes: ReadonlyMap<string, number>,
): Record<string, Uint8Array> {
  const parts = new Map<string, Uint8Array[]>();
  const unzip = new Unzip((file) => {
    if (!/\.(xml|rels)$/.test(file.name)) return;
    const pieces: Uint8Array[] = [];
    let left = sizes.get(file.name) ?? 0;
    parts.set(file.name, pieces);
    file.ondata = (error, piece) => {
      if (error) throw error;
      left -= piece.length;
      if (left < 0) throw tooLarge();
      pieces.push(piece);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  passOn(() => {
    for (let at = 0; at < bytes.length; at += PIECE)
      unzip.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
  });
  return Object.fromEntries([...parts].map(([name, pieces]) => [name, joined(pieces)]));
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function passOn(unpack: () => void): void {
  try {
    unpack();
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw new FileRefused('is a damaged zip: save or load it again');
  }
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
  return plain === xml ? content : strToU8(plain, true);
}

/** Spreadsheets keep 0.1 as 0.10000000000000001: only the digits that they show count. */
const workbookNumber = (text: string, is1904: boolean): WrittenNumber =>
  new WrittenNumber(plainDigits(Number(Number(text).toPrecision(SIGNIFICANT_DIGITS))), is1904);

function rowsOf(data: readonly (readonly unknown[])[], firstDay: number): Row[] {
  return data
    .map((cells, index) => ({
      line: index + 1,
      cells: cells.map((cell) => cellOf(cell, firstDay)),
    }))
    .filter((row) => !isBlank(row));
}

function cellOf(value: unknown, firstDay: number): Cell {
  if (value instanceof WrittenNumber) return value;
  if (value instanceof Date) return dateText(value, firstDay);
  if (typeof value === 'boolean') return String(value).toUpperCase();
  if (typeof value !== 'string') return '';
  if (value.length > MAX_CELL_LENGTH) throw tooLarge();
  return value.trim().replace(/^'/, '');
}

/** Writes a date, a time or both; a time is a fraction of a day, or more than a day as `25:00`. */
function dateText(date: Date, firstDay: number): string {
  const [day = '', whole = ''] = date.toISOString().slice(0, 19).split('T');
  const time = whole.replace(/(?<=:\d\d):00$/, '');
  const elapsed = date.getTime() - firstDay;
  if (elapsed >= 0 && elapsed < MAX_TIME_MS)
    return `${Math.floor(elapsed / HOUR_MS)}${time.slice(time.indexOf(':'))}`;
  return time === '00:00' ? day : `${day} ${time}`;
}
