import {
  FileRefused,
  MAX_CELL_LENGTH,
  MAX_CELLS,
  type Progress,
  type Row,
  ROWS_PER_REPORT,
  tooManyCells,
} from './table.js';

export const SEPARATORS = ['|', ';', '\t', ','];

/** How much of a file is looked at to find its separator and its headings. */
const START_LENGTH = 64 * 1024;

interface ReadingText {
  /** Whether the text is only the start of a file, which may end in the middle of a cell. */
  readonly isCut?: boolean;
  readonly progress?: Progress | undefined;
}

/** Returns the whole lines at the start of a text. */
export const startOf = (text: string): string =>
  text.length > START_LENGTH ? text.slice(0, text.lastIndexOf('\n', START_LENGTH)) : text;

/** Splits text into rows of cells, which are trimmed; rows without any text are left out. */
export function readText(text: string, separator: string, options: ReadingText = {}): Row[] {
  const content = text.replace(/^sep=.\n/i, '\n');
  return separator === ' ' ? splitAtBlanks(content) : splitAt(content, separator, options);
}

function splitAtBlanks(text: string): Row[] {
  return text.split('\n').flatMap((row, index) => {
    const cells = row.trim().split(/\s+/);
    return row.trim() === '' ? [] : [{ line: index + 1, cells }];
  });
}

/** Each character is looked at once, so that no text takes longer than its length: papaparse does not promise that. */
function splitAt(text: string, separator: string, { isCut, progress }: ReadingText): Row[] {
  const rows: Row[] = [];
  let [line, at, count, quote] = [1, 0, 0, text.indexOf('"')];
  while (at < text.length) {
    const feed = text.indexOf('\n', at);
    let end = feed < 0 ? text.length : feed;
    if (quote >= 0 && quote < at) quote = text.indexOf('"', at);
    const isQuoted = quote >= 0 && quote < end;
    const split = isQuoted ? splitQuoted(text, at, separator) : undefined;
    if (isQuoted && !split) {
      if (isCut) break;
      throw new FileRefused(`line ${line}: a quotation mark is not closed, or text follows it`);
    }
    const cells = split?.cells ?? text.slice(at, end).split(separator);
    end = split?.end ?? end;
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
    if (rows.length % ROWS_PER_REPORT === 0) progress?.(at / text.length);
    line += 1 + (split?.feeds ?? 0);
    at = end + 1;
  }
  return rows;
}

interface QuotedRow {
  readonly cells: string[];
  readonly end: number;
  /** How many line feeds are in its cells. */
  readonly feeds: number;
}

/** Splits a row with quotation marks; undefined if one is not closed, or text follows it. */
function splitQuoted(text: string, start: number, separator: string): QuotedRow | undefined {
  const cells: string[] = [];
  let [at, feeds] = [start, 0];
  for (;;) {
    let from = at;
    while (text[from] === ' ') from++;
    if (text[from] === '"') {
      let cell = '';
      for (;;) {
        const close = text.indexOf('"', from + 1);
        if (close < 0 || cell.length > MAX_CELL_LENGTH) return undefined;
        cell += text.slice(from + 1, close);
        from = close + 1;
        if (text[from] !== '"') break;
        cell += '"';
      }
      while (text[from] === ' ') from++;
      feeds += cell.split('\n').length - 1;
      cells.push(cell);
      at = from;
      if (at < text.length && text[at] !== separator && text[at] !== '\n') return undefined;
    } else {
      while (at < text.length && text[at] !== separator && text[at] !== '\n') at++;
      cells.push(text.slice(from, at));
    }
    if (text[at] !== separator) return { cells, end: at, feeds };
    at++;
  }
}

/** Takes off blanks, and what keeps a spreadsheet from changing a text: `'0900` and `="0900"`. */
function cellText(cell: string): string {
  const text = cell.trim();
  if (text.startsWith("'")) return text.slice(1);
  return text.startsWith('="') && text.indexOf('"', 2) === text.length - 1
    ? text.slice(2, -1)
    : text;
}

/** Returns the first rows as each separator splits them, the likeliest one first. */
export function readStart(text: string): { separator: string; rows: Row[] }[] {
  const named = /^sep=(.)\n/i.exec(text)?.[1];
  return (named === undefined ? SEPARATORS : [named])
    .map((separator) => ({ separator, rows: readText(startOf(text), separator, { isCut: true }) }))
    .sort((one, other) => score(other.rows) - score(one.rows));
}

/** Counts the cells of rows that have as many cells as most rows. */
function score(rows: readonly Row[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows)
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + cells.length);
  return Math.max(0, ...counts.values());
}
