import Papa from 'papaparse';
import { FileRefused, type Row } from './table.js';

export const SEPARATORS = ['|', ';', '\t', ','];

const LINE_FEED = 10;

/** How much of a file is looked at to find its separator and its headings. */
const START_LENGTH = 64 * 1024;

/** Splits text into rows of cells, which are trimmed; rows without any text are left out. */
export function readText(text: string, separator: string, isCut = false): Row[] {
  const content = text.replace(/^sep=.\n/i, '\n');
  return separator === ' ' ? splitAtBlanks(content) : splitAt(content, separator, isCut);
}

function splitAtBlanks(text: string): Row[] {
  return text.split('\n').flatMap((row, index) => {
    const cells = row.trim().split(/\s+/);
    return row.trim() === '' ? [] : [{ line: index + 1, cells }];
  });
}

function splitAt(text: string, separator: string, isCut: boolean): Row[] {
  const rows: Row[] = [];
  let [line, read] = [1, 0];
  // Blanks before a quote are no part of a cell.
  const quoted = `(^|[${separator}]) +(?="(?:[^"]|"")*" *(?:[${separator}]|$))`;
  const content = text.replace(new RegExp(quoted, 'gm'), '$1');
  Papa.parse<string[]>(content, {
    delimiter: separator,
    newline: '\n',
    step: ({ data, errors, meta }) => {
      if (errors.some(({ type }) => type === 'Quotes') && !isCut)
        throw new FileRefused(`line ${line}: a quotation mark is not closed, or text follows it`);
      const cells = data.map((cell) => cell.trim().replace(/^'/, ''));
      if (cells.some((cell) => cell !== '')) rows.push({ line, cells });
      for (; read < meta.cursor; read++) if (content.charCodeAt(read) === LINE_FEED) line++;
    },
  });
  return rows;
}

/** Returns the first rows as each separator splits them, the likeliest one first. */
export function readStart(text: string): { separator: string; rows: Row[] }[] {
  const start =
    text.length > START_LENGTH ? text.slice(0, text.lastIndexOf('\n', START_LENGTH)) : text;
  const named = /^sep=(.)\n/i.exec(text)?.[1];
  return (named === undefined ? SEPARATORS : [named])
    .map((separator) => ({ separator, rows: readText(start, separator, true) }))
    .sort((one, other) => score(other.rows) - score(one.rows));
}

/** Counts the cells of rows that have as many cells as most rows. */
function score(rows: readonly Row[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows)
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + cells.length);
  return Math.max(0, ...counts.values());
}
