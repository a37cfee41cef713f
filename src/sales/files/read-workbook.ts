import type { UnzipFileInfo, Zippable } from 'fflate';
import { strFromU8, Unzip, UnzipInflate, unzipSync, zipSync } from 'fflate';
import readWorkbookSheets from 'read-excel-file/universal';
import { plainDigits } from './decimals.js';
import { type Cell, FileRefused, isBlank, type Row, type Table, WorkbookNumber } from './table.js';

/** Limits of a workbook, which a year of a restaurant does not reach. */
const MAX_INFLATED_BYTES = 128 * 1024 * 1024;
const MAX_ENTRIES = 1_000;
const MAX_COLUMNS = 1_000;
const MAX_CELLS = 5_000_000;
const PIECE = 64 * 1024;

/** The digits that a spreadsheet shows and keeps of a number. */
const SIGNIFICANT_DIGITS = 15;
const MINUTE_MS = 60_000;

/** Reads every sheet of a workbook (xlsx). A hostile one is refused before anything is inflated. */
export async function readWorkbook(bytes: Uint8Array): Promise<Table[]> {
  const sizes = listEntries(bytes);
  if (!sizes.has('xl/workbook.xml'))
    throw new FileRefused('is a zip: unpack it and import the files in it');
  if ([...sizes.keys()].some((name) => name.endsWith('vbaProject.bin')))
    throw new FileRefused('has macros: save it as an Excel file without macros (xlsx)');
  const parts = inflateParts(bytes, sizes);
  for (const [name, content] of Object.entries(parts))
    if (name.startsWith('xl/worksheets/')) assertPlainSheet(content as Uint8Array);
  // The reader takes a zip, so the parts are packed again, without compression.
  const packed = zipSync(parts, { level: 0 });
  const options = { parseNumber: workbookNumber };
  const sheets = await readWorkbookSheets(packed.buffer, options).catch(() => {
    throw new FileRefused('is a damaged Excel file: save it again, or as "CSV UTF-8"');
  });
  return sheets.map(({ sheet, data }) => ({ sheet, rows: rowsOf(data) }));
}

/** Lists names and sizes in the zip by its directory, and refuses one that would not fit. */
function listEntries(bytes: Uint8Array): Map<string, number> {
  const sizes = new Map<string, number>();
  let inflated = 0;
  const filter = ({ name, originalSize }: UnzipFileInfo): boolean => {
    inflated += originalSize;
    sizes.set(name, originalSize);
    if (sizes.size > MAX_ENTRIES || inflated > MAX_INFLATED_BYTES) throw tooLarge();
    return false;
  };
  passOn(() => unzipSync(bytes, { filter }));
  return sizes;
}

/** Inflates the parts that are read, piece by piece: a directory may lie about their sizes. */
function inflateParts(bytes: Uint8Array, sizes: ReadonlyMap<string, number>): Zippable {
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

const tooLarge = (): FileRefused =>
  new FileRefused('holds too much for a workbook: save the sheet with the sales as "CSV UTF-8"');

/** Refuses formulas, whose results may be stale, and a cell far away from all others. */
function assertPlainSheet(content: Uint8Array): void {
  const xml = strFromU8(content, true);
  if (/<(\w+:)?f[\s/>]/.test(xml))
    throw new FileRefused('has formulas: paste them as values, or save it as "CSV UTF-8"');
  let [columns, rows] = [0, 0];
  for (const [, letters = '', digits] of xml.matchAll(/\br\s*=\s*["']([A-Z]*)(\d+)["']/gi)) {
    const column = letters.split('').reduce((sum, each) => sum * 26 + parseInt(each, 36) - 9, 0);
    columns = Math.max(columns, column);
    rows = Math.max(rows, Number(digits));
  }
  if (columns > MAX_COLUMNS || columns * rows > MAX_CELLS) throw tooLarge();
}

/** Spreadsheets keep 0.1 as 0.10000000000000001: only the digits that they show count. */
function workbookNumber(text: string): WorkbookNumber {
  return new WorkbookNumber(plainDigits(Number(Number(text).toPrecision(SIGNIFICANT_DIGITS))));
}

function rowsOf(data: readonly (readonly unknown[])[]): Row[] {
  return data
    .map((cells, index) => ({ line: index + 1, cells: cells.map(cellOf) }))
    .filter((row) => !isBlank(row));
}

function cellOf(value: unknown): Cell {
  if (value instanceof WorkbookNumber) return value;
  if (value instanceof Date) return dateText(value);
  return typeof value === 'string' ? value.trim().replace(/^'/, '') : value === true ? 'TRUE' : '';
}

/** Writes a date, a time or both; a time is kept as a fraction of a day, so it is rounded. */
function dateText(date: Date): string {
  const rounded = new Date(Math.round(date.getTime() / MINUTE_MS) * MINUTE_MS);
  const [day = '', time = ''] = rounded.toISOString().slice(0, 16).split('T');
  if (rounded.getUTCFullYear() < 1904) return time;
  return time === '00:00' ? day : `${day} ${time}`;
}
