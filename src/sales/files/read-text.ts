import { FileRefused, MAX_CELL_LENGTH, MAX_CELLS, type Row, tooManyCells } from './table.js';

const SEPARATORS = ['|', ';', '\t', ','];

/** How much of a file is looked at to find its separator and its headings. */
const START_LENGTH = 64 * 1024;

/** Returns the whole lines at the start of a text. */
export const startOf = (text: string): string =>
  text.length > START_LENGTH ? text.slice(0, text.lastIndexOf('\n', START_LENGTH)) : text;

/**
 * Splits text into rows of cells, which are trimmed; rows without any text are left out. A text
 * that is only the start of a file (`isCut`) may end in the middle of a cell. Each
 * character is looked at once, whatever the text: papaparse does not promise that.
 */
export function readText(text: string, separator: string, isCut = false): Row[] {
  const rows: Row[] = [];
  let [line, at, count] = [1, 0, 0];
  while (at < text.length) {
    const row = readRow(text, at, separator);
    if (isCut && !row) break;
    if (!row)
      throw new FileRefused(`line ${line}: a quotation mark is not closed, or text follows it`);
    const { cells } = row;
    count += cells.length;
    if (count > MAX_CELLS) throw tooManyCells();
    let isBlank = true;
    for (let index = 0; index < cells.length; index++) {
      const cell = cellText(cells[index]!);
      if (cell.length > MAX_CELL_LENGTH) throw new FileRefused(`line ${line}: a cell has no end`);
      cells[index] = cell;
      isBlank &&= cell === '';
    }
    if (!isBlank) rows.push({ line, cells });
    line += row.lines;
    at = row.end + 1;
  }
  return rows;
}

/** Returns undefined if a quotation mark is not closed, or text follows it. */
function readRow(text: string, start: number, separator: string) {
  const feed = text.indexOf('\n', start);
  const end = feed < 0 ? text.length : feed;
  const line = text.slice(start, end);
  if (separator === ' ') return { cells: line.trim().split(/\s+/), end, lines: 1 };
  return line.includes('"')
    ? readQuoted(text, start, separator)
    : { cells: line.split(separator), end, lines: 1 };
}

/** A cell in quotation marks, in which two stand for one, or a cell without. */
const QUOTED = `"((?:[^"]|""){0,${MAX_CELL_LENGTH}})"`;
const CELLS = new Map(
  SEPARATORS.map((separator) => [
    separator,
    new RegExp(` *${QUOTED} *(?=[${separator}\n]|$)|(?! *")[^${separator}\n]*`, 'y'),
  ]),
);

function readQuoted(text: string, start: number, separator: string) {
  const cells: string[] = [];
  const pattern = CELLS.get(separator)!;
  pattern.lastIndex = start;
  for (;;) {
    const [cell, quoted] = pattern.exec(text) ?? [];
    if (cell === undefined) return undefined;
    cells.push(quoted?.replaceAll('""', '"') ?? cell);
    const end = pattern.lastIndex;
    if (text[end] !== separator)
      return { cells, end, lines: text.slice(start, end).split('\n').length };
    pattern.lastIndex = end + 1;
  }
}

/** Takes off blanks, and the apostrophe that keeps a spreadsheet from changing a text. */
function cellText(cell: string): string {
  const text = cell.trim();
  return text.startsWith("'") ? text.slice(1) : text;
}

/** Returns the first rows as each separator splits them, the likeliest one first. */
export function readStart(text: string): { separator: string; rows: Row[] }[] {
  return SEPARATORS.map((separator) => ({
    separator,
    rows: readText(startOf(text), separator, true),
  })).sort((one, other) => score(other.rows) - score(one.rows));
}

/** Counts the cells of rows that have as many cells as most rows. */
function score(rows: readonly Row[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows)
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + cells.length);
  return Math.max(0, ...counts.values());
}
