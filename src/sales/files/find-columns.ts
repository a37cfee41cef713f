import {
  type BuiltInProfile,
  type ColumnName,
  type Source,
  sourcesOf,
  usedColumns,
} from './profile.js';
import { type Cell, normalHeading, type Row, type Table, textOf } from './table.js';

/** Where the parts of a table are that a profile names. */
export interface Located {
  readonly table: Table;
  readonly columns: ReadonlyMap<ColumnName, number>;
  /** The columns of figures that the table has, and where each is. */
  readonly sources: readonly (Source & { readonly index: number })[];
  readonly width: number;
  /** The row of the headings; undefined for a file without headings. */
  readonly headings?: Row;
  /** The rows above the headings, and those below. */
  readonly titles: readonly Row[];
  readonly body: readonly Row[];
  /** The headings of columns that have cells and that the profile neither uses nor ignores. */
  readonly unknown: readonly string[];
  /** The headings in use that stand more than once. */
  readonly repeated: readonly ColumnName[];
}

/** Headings stand in one of the first rows. */
const MAX_ROWS_ABOVE = 60;

const headingsOf = ({ cells }: Row): string[] => cells.map((cell) => normalHeading(textOf(cell)));

/** The columns that a file must have: those of the profile but for optional ones. */
function requiredColumns(profile: BuiltInProfile): ColumnName[] {
  return usedColumns(profile).filter((column) => !profile.optional?.includes(String(column)));
}

/** Returns which headings are missing in each of the first rows. */
function missingHeadings(rows: readonly Row[], profile: BuiltInProfile): ColumnName[][] {
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
  for (const column of usedColumns(profile)) {
    const index = headings.indexOf(normalHeading(String(column)));
    if (index >= 0) columns.set(column, index);
  }
  const isRepeated = (index: number): boolean => headings.includes(headings[index]!, index + 1);
  const repeated = [...columns.keys()].filter((column) => isRepeated(columns.get(column)!));
  const width = headings.findLastIndex((heading) => heading !== '') + 1;
  const [titles, body] = [table.rows.slice(0, at), table.rows.slice(at + 1)];
  const unknown = unknownColumns(row, body, columns, profile);
  const sources = locateSources(profile, columns);
  return { table, columns, sources, width, headings: row, titles, body, unknown, repeated };
}

/** A file of a fixed width is told by it. A line of headings, which has no digits, may stand above. */
function locateByNumber(table: Table, profile: BuiltInProfile): Located | undefined {
  const { rows } = table;
  const filled = ({ cells }: Row): number => cells.findLastIndex((cell) => textOf(cell) !== '') + 1;
  const { width } = profile;
  if (width !== undefined && !rows.some((row) => filled(row) === width)) return undefined;
  const numbers = usedColumns(profile) as number[];
  const columns = new Map<ColumnName, number>(numbers.map((number) => [number, number - 1]));
  const isHeaded = rows[0]?.cells.every((cell) => !/\d/.test(textOf(cell))) === true;
  const body = isHeaded ? rows.slice(1) : rows;
  const sources = locateSources(profile, columns);
  const nothing = { titles: [], unknown: [], repeated: [] };
  return { table, columns, sources, width: width ?? Math.max(...numbers), body, ...nothing };
}

const locateSources = (profile: BuiltInProfile, columns: Located['columns']): Located['sources'] =>
  sourcesOf(profile).flatMap((source) => {
    const index = columns.get(source.column);
    return index === undefined ? [] : [{ ...source, index }];
  });

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

/** Returns the text of the title rows that begin so, without that. */
export function findTitle(titles: readonly Row[], start: string): string {
  const isTitle = (cell: Cell): boolean =>
    normalHeading(textOf(cell)).startsWith(normalHeading(start));
  return titles
    .flatMap(({ cells }) => {
      const at = cells.findIndex(isTitle);
      return at < 0 ? [] : [cells.slice(at).map(textOf).join(' ').slice(start.length)];
    })
    .join(' ')
    .trim();
}

/** Says why no profile knows a file, without any cell of it: it may hold a password. */
export function explainUnknown(rows: readonly Row[], profiles: readonly BuiltInProfile[]): string {
  if (rows.length === 0) return 'the file is empty';
  const [nearest] = profiles
    .filter(hasHeadings)
    .flatMap((profile) => {
      const { length } = requiredColumns(profile);
      const all = missingHeadings(rows, profile).map((missing) => ({ missing, profile }));
      const isChosen = profiles.length === 1;
      const most = isChosen ? length : Math.max(1, length / 4);
      return all.filter(({ missing }) => missing.length > 0 && missing.length <= most);
    })
    .sort((one, other) => one.missing.length - other.missing.length);
  if (nearest)
    return `columns are missing: ${nearest.missing.join(', ')} (of the profile ${nearest.profile.name})`;
  return 'no profile knows its headings: make one if it has a row for each hour, or export the sales by hour';
}
