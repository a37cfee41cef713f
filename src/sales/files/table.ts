/** A number of a workbook, whose digits have one reading only. */
export class WorkbookNumber {
  constructor(
    readonly digits: string,
    /** Whether days are counted from 1904, so that a number which is a date is another one. */
    readonly is1904 = false,
  ) {}

  toString(): string {
    return this.digits;
  }
}

export type Cell = string | WorkbookNumber;

export interface Row {
  /** The line of a text file, or the row of a sheet, from 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** The rows of a text file or of a sheet of a workbook. */
export interface Table {
  /** The name of the sheet; empty for a text file. */
  readonly sheet: string;
  readonly rows: readonly Row[];
}

/** Says why a file cannot be read; the text is for people. */
export class FileRefused extends Error {}

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

const NAME_OF_TOTAL =
  /^(?:(?:(?:grand|sub)[ -]?)?totals?|(?:all|sum|summary|overall|consolidated)(?: (?:outlets|stores|shops|restaurants|branches|locations|tills|terminals|pos|channels))?|gesamt|summe|jumlah|合计|总计|小计)$/i;

/** Whether a sheet, a till or a channel is called as the sum of the others. */
export const isNameOfTotal = (name: string): boolean => NAME_OF_TOTAL.test(name);

/** Is told which share of the work is done. */
export type Progress = (share: number) => void;

/** How many rows are read between two reports of progress. */
export const ROWS_PER_REPORT = 5_000;
