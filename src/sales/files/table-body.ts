import type { Located } from './find-columns.js';
import type { BuiltInProfile } from './profile.js';
import { type Cell, FileRefused, type Row, textOf, wholeText } from './table.js';

export interface TableBody {
  readonly rows: readonly Row[];
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

const PAGE =
  /(?:\W*\b(?:page|pg|seite|p[áa]gina|halaman)\W*\d+(?:\s*\D{1,6}\s*\d+)?|^\W*-\s*\d+\s*-|第\s*\d+\s*[頁页])\W*$/i;

/**
 * Returns the rows below the headings that have something in the columns of a profile, without
 * what a report repeats on each page, and without the units below the headings.
 */
export function bodyOf(
  { headings, titles, body, columns }: Located,
  profile: BuiltInProfile,
  hasHour: (row: Row) => boolean,
  figures: readonly number[],
): TableBody {
  const used = [...columns.values()];
  const titleOf = (row: Row): string => wholeText(row).replace(PAGE, '');
  const known = new Set(['', ...titles.map(titleOf)]);
  const isRepeated = (row: Row): boolean => {
    const isHeading = used.every((at) => textOf(row.cells[at]) === textOf(headings!.cells[at]));
    return isHeading || known.has(titleOf(row));
  };
  const rows: Row[] = [];
  const [unread, faults]: [number[], string[]] = [[], []];
  let between: Row[] = [];
  let isBelowHour = false;
  for (const row of filledDown(body, profile, columns)) {
    if (hasHour(row)) {
      if (isBelowHour && !isWholeByColumns(profile)) faults.push(...between.map(faultOfTitle));
      between = [];
      isBelowHour = true;
      rows.push(row);
    } else if (headings && isRepeated(row)) continue;
    else if (used.every((at) => textOf(row.cells[at]) === '')) {
      if (row.cells.filter((cell) => textOf(cell) !== '').length < 3) between.push(row);
    } else if (headings && !isBelowHour && figures.every((at) => !/\d/.test(textOf(row.cells[at]))))
      unread.push(row.line);
    else rows.push(row);
  }
  const notes = unread.length > 0 ? [`not read, as it has no figures: line ${unread.join()}`] : [];
  return { rows, faults, notes };
}

/** Whether each row names its restaurant, date and till itself. */
const isWholeByColumns = ({ restaurant, date, till = restaurant }: BuiltInProfile): boolean =>
  [restaurant, date, till].every(({ column }) => column !== undefined);

const faultOfTitle = (row: Row): string =>
  `line ${row.line}: ${wholeText(row)} stands between the rows: is what follows of another restaurant, day or till?`;

/** Puts the cell above into empty ones of columns whose cells were merged. */
function filledDown(
  body: readonly Row[],
  { fill_down: named = [] }: BuiltInProfile,
  columns: Located['columns'],
): readonly Row[] {
  if (named.length === 0) return body;
  const above = new Map<number, Cell>();
  const indexes = named.map((column) => {
    const index = columns.get(column);
    if (index === undefined) throw new FileRefused(`has no column ${column}`);
    return index;
  });
  return body.map((row) => {
    const cells = [...row.cells];
    for (const index of indexes) {
      const cell = cells[index] ?? '';
      if (textOf(cell) === '') cells[index] = above.get(index) ?? '';
      else above.set(index, cell);
    }
    return { line: row.line, cells };
  });
}
