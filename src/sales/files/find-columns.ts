import { type BuiltInProfile, type ColumnName, usedColumns } from './profile.js';
import { normalHeading, type Row, type Table, textOf } from './table.js';

/** Where the parts of a table are that a profile names. */
export interface Located {
  readonly table: Table;
  readonly columns: ReadonlyMap<ColumnName, number>;
  readonly width: number;
  /** The row of the headings; undefined for a file without headings. */
  readonly headings?: Row;
  /** The rows above the headings, and those below. */
  readonly titles: readonly Row[];
  readonly body: readonly Row[];
  /** The headings of columns that have cells and that the profile neither uses nor ignores. */
  readonly unknown: readonly string[];
  /** The headings in use that stand more than once. */
  readonly repeated: readonly string[];
}

/** Headings stand in one of the first rows. */
const MAX_ROWS_ABOVE = 60;

const headingsOf = ({ cells }: Row): string[] => cells.map((cell) => normalHeading(textOf(cell)));

/** The columns that a file must have: those of the profile but for optional ones. */
export function requiredColumns(profile: BuiltInProfile): ColumnName[] {
  return usedColumns(profile).filter((column) => !profile.optional?.includes(String(column)));
}

/** Returns which headings are missing in each of the first rows. */
export function missingHeadings(rows: readonly Row[], profile: BuiltInProfile): ColumnName[][] {
  const required = requiredColumns(profile);
  return rows.slice(0, MAX_ROWS_ABOVE).map((row) => {
    const headings = new Set(headingsOf(row));
    return required.filter((column) => !headings.has(normalHeading(String(column))));
  });
}

export const hasHeadings = (profile: BuiltInProfile): boolean =>
  usedColumns(profile).every((column) => typeof column === 'string');

/** Locates what a profile names in a table; undefined if the table is none of its source. */
export function locate(table: Table, profile: BuiltInProfile): Located | undefined {
  if (!hasHeadings(profile)) return locateByNumber(table, profile);
  const at = missingHeadings(table.rows, profile).findIndex(({ length }) => length === 0);
  if (at < 0) return undefined;
  const row = table.rows[at]!;
  const headings = headingsOf(row);
  const columns = new Map<ColumnName, number>();
  const repeated: string[] = [];
  for (const column of usedColumns(profile)) {
    const index = headings.indexOf(normalHeading(String(column)));
    if (index >= 0 && headings.includes(normalHeading(String(column)), index + 1))
      repeated.push(String(column));
    if (index >= 0) columns.set(column, index);
  }
  const width = headings.findLastIndex((heading) => heading !== '') + 1;
  const [titles, body] = [table.rows.slice(0, at), table.rows.slice(at + 1)];
  const unknown = unknownColumns(row, body, columns, profile);
  return { table, columns, width, headings: row, titles, body, unknown, repeated };
}

function locateByNumber(table: Table, profile: BuiltInProfile): Located | undefined {
  const { width } = profile;
  const filled = ({ cells }: Row): number => cells.findLastIndex((cell) => textOf(cell) !== '') + 1;
  // Files of a fixed width are told by it, or by a cut line of digits: others have headings.
  const [first] = table.rows;
  const isCut = /^\d/.test(textOf(first?.cells[0]));
  const isOfWidth = isCut || table.rows.some((row) => filled(row) === width);
  if (width !== undefined && !isOfWidth) return undefined;
  const numbers = usedColumns(profile) as number[];
  const columns = new Map<ColumnName, number>(numbers.map((number) => [number, number - 1]));
  // A line of headings, which has no digits, may stand above.
  const isHeading = ({ cells }: Row): boolean => cells.every((cell) => !/\d/.test(textOf(cell)));
  const body = first && isHeading(first) ? table.rows.slice(1) : table.rows;
  return {
    table,
    columns,
    width: width ?? Math.max(...numbers),
    titles: [],
    body,
    unknown: [],
    repeated: [],
  };
}

function unknownColumns(
  headings: Row,
  body: readonly Row[],
  columns: Located['columns'],
  { ignore = [], optional = [] }: BuiltInProfile,
): string[] {
  const used = new Set(columns.values());
  const known = new Set([...ignore, ...optional].map(normalHeading));
  const width = Math.max(
    headings.cells.length,
    ...body.slice(0, 100).map(({ cells }) => cells.length),
  );
  return Array.from({ length: width }, (_, index) => index).flatMap((index) => {
    const heading = textOf(headings.cells[index]) || `column ${index + 1}`;
    const isKnown = used.has(index) || known.has(normalHeading(heading));
    const hasCells = (): boolean => body.some(({ cells }) => textOf(cells[index]) !== '');
    return isKnown || !hasCells() ? [] : [heading];
  });
}

/** Returns the text of the title rows of a label, or else of those that begin so. */
export function findTitle(titles: readonly Row[], start: string): string {
  const label = (text: string): string => normalHeading(text).replace(/ ?:$/, '');
  const wanted = label(start);
  const find = (isLabel: (text: string) => boolean): string =>
    titles
      .flatMap(({ cells }) => {
        const at = cells.findIndex((cell) => isLabel(label(textOf(cell))));
        return at < 0 ? [] : [cells.slice(at).map(textOf).join(' ').slice(start.length)];
      })
      .join(' ')
      .trim();
  return find((text) => text === wanted) || find((text) => text.startsWith(wanted));
}
