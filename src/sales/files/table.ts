/** A number of a workbook or of JSON, whose digits have one reading only. */
export class WrittenNumber {
  constructor(
    readonly digits: string,
    /** Whether days are counted from 1904, so that a number which is a date is another one. */
    readonly is1904 = false,
  ) {}

  toString(): string {
    return this.digits;
  }
}

export type Cell = string | WrittenNumber;

export interface Row {
  /** The line of a text file, or the row of a sheet, from 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** A line that is a tag and a value. */
export interface TaggedLine {
  readonly line: number;
  readonly name: string;
  readonly value: string;
}

/** The rows of a text file or of a sheet of a workbook. */
export interface Table {
  /** The name of the sheet; empty for a text file. */
  readonly sheet: string;
  readonly rows: readonly Row[];
  /** Every line of a file of numbered lines. */
  readonly lines?: readonly TaggedLine[];
}

/** Says why a file cannot be read; the text is for people. */
export class FileRefused extends Error {}

/** A cell holds at most as many characters as in Excel. */
export const MAX_CELL_LENGTH = 32_767;
/** A year of a large restaurant has a third of it. */
export const MAX_CELLS = 5_000_000;

export const tooManyCells = (): FileRefused =>
  new FileRefused(`holds more than ${MAX_CELLS.toLocaleString('en')} cells: split it`);

export const textOf = (cell: Cell | undefined): string =>
  typeof cell === 'string' ? cell : (cell?.digits ?? '');

export const isBlank = ({ cells }: Row): boolean => cells.every((cell) => textOf(cell) === '');

/** Returns the texts of a row with blanks between them. */
export const wholeText = ({ cells }: Row): string =>
  cells
    .map(textOf)
    .filter((text) => text !== '')
    .join(' ');

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes headings comparable: how they are written does not count. */
export const normalHeading = (heading: string): string =>
  heading.replace(/\s+/g, ' ').trim().toLowerCase().normalize();

/** Compares a text with a pattern of a profile, in which `*` stands for any text, part by part. */
export function matchesPattern(text: string, pattern: string): boolean {
  const whole = text.toLowerCase();
  const [first = '', ...parts] = pattern.toLowerCase().split('*');
  const last = parts.pop();
  if (last === undefined) return whole === first;
  if (!whole.startsWith(first) || !whole.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = whole.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= whole.length - last.length;
}

/** Finds what is listed for a text: the text itself counts before a pattern, a long one before a short one. */
export function bestMatch<Value>(
  text: string,
  listed: ReadonlyMap<string, Value>,
): Value | undefined {
  const rank = (pattern: string): number => (pattern.includes('*') ? pattern.length : Infinity);
  let best: string | undefined;
  for (const pattern of listed.keys())
    if (matchesPattern(text, pattern) && (best === undefined || rank(pattern) > rank(best)))
      best = pattern;
  return best === undefined ? undefined : listed.get(best);
}

/** Is told which share of the work is done. */
export type Progress = (share: number) => void;

/** How many rows are read between two reports of progress. */
export const ROWS_PER_REPORT = 5_000;
