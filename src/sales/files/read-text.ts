import Papa from 'papaparse';
import { FileRefused, type Progress, type Row, ROWS_PER_REPORT } from './table.js';

export const SEPARATORS = ['|', ';', '\t', ','];

const LINE_FEED = 10;

/** How much of a file is looked at to find its separator and its headings. */
const START_LENGTH = 64 * 1024;

interface ReadingText {
  /** Whether the text is only the start of a file. */
  readonly isCut?: boolean;
  readonly progress?: Progress | undefined;
}

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

function splitAt(text: string, separator: string, { isCut, progress }: ReadingText): Row[] {
  const rows: Row[] = [];
  let [line, read] = [1, 0];
  // Blanks before a quote are no part of a cell.
  const quoted = `(^|[${separator}]) +(?="(?:[^"]|"")*" *(?:[${separator}]|$))`;
  const content = text.includes(' "') ? text.replace(new RegExp(quoted, 'gm'), '$1') : text;
  Papa.parse<string[]>(content, {
    delimiter: separator,
    newline: '\n',
    step: ({ data, errors, meta }) => {
      if (!isCut && errors.some(({ type }) => type === 'Quotes'))
        throw new FileRefused(`line ${line}: a quotation mark is not closed, or text follows it`);
      let isBlank = true;
      for (let at = 0; at < data.length; at++) {
        data[at] = cellText(data[at]!);
        isBlank &&= data[at] === '';
      }
      if (!isBlank) rows.push({ line, cells: data });
      if (rows.length % ROWS_PER_REPORT === 0) progress?.(meta.cursor / content.length);
      for (; read < meta.cursor; read++) if (content.charCodeAt(read) === LINE_FEED) line++;
    },
  });
  return rows;
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
  const start =
    text.length > START_LENGTH ? text.slice(0, text.lastIndexOf('\n', START_LENGTH)) : text;
  const named = /^sep=(.)\n/i.exec(text)?.[1];
  return (named === undefined ? SEPARATORS : [named])
    .map((separator) => ({ separator, rows: readText(start, separator, { isCut: true }) }))
    .sort((one, other) => score(other.rows) - score(one.rows));
}

/** Counts the cells of rows that have as many cells as most rows. */
function score(rows: readonly Row[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows)
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + cells.length);
  return Math.max(0, ...counts.values());
}
