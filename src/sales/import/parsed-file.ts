/** A record as a client would send it; cells that are no numbers stay text, which validation reports. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

/** The records of one restaurant and one date: one upload. */
export interface ParsedDay {
  /** Set for files that name a machine instead of a restaurant. */
  readonly machine?: string;
  readonly records: readonly ParsedRecord[];
  /** The line of each record in its file, from 1; empty for JSON. */
  readonly lines: readonly number[];
}

export interface FileProblem {
  /** null: the whole file */
  readonly line: number | null;
  readonly message: string;
}

export interface ParsedFile {
  readonly days: readonly ParsedDay[];
  /** If there are any, the file should not be uploaded. */
  readonly problems: readonly FileProblem[];
}

export interface ParsedRow {
  readonly line: number;
  /** Rows of one key are one upload. */
  readonly key: string;
  readonly machine?: string;
  readonly record: ParsedRecord;
}

const DECIMAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** No value is longer; a longer cell is not looked at. */
const MAX_CELL_LENGTH = 100;

/** JSON numbers carry as many digits between machines (RFC 8259 section 6). */
const MAX_DIGITS = 15;

/** Returns the cell itself if it is no number. Up to MAX_DIGITS, a number keeps all digits of its cell. */
export function toNumber(cell: string): number | string {
  return DECIMAL.test(cell) ? Number(cell) : cell;
}

/** Says what is wrong with a cell as such; undefined if nothing is. */
export function problemOfCell(name: string, cell: string): string | undefined {
  if (cell.length > MAX_CELL_LENGTH) return `${name} is longer than ${MAX_CELL_LENGTH} characters`;
  if (DECIMAL.test(cell) && significantDigits(cell) > MAX_DIGITS)
    return `${name} has more than ${MAX_DIGITS} digits`;
  return undefined;
}

function significantDigits(cell: string): number {
  const [whole = '', fraction = ''] = cell.replace('-', '').split('.');
  return (whole + fraction.replace(/0+$/, '')).replace(/^0+/, '').length;
}

/** Splits text into its lines that are not empty, each with its number. */
export function linesOf(text: string): { readonly line: number; readonly text: string }[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  return lines.flatMap((each, index) =>
    each.trim() === '' ? [] : [{ line: index + 1, text: each }],
  );
}

/** Groups rows into days, in the order of their first rows. */
export function groupRows(rows: readonly ParsedRow[]): ParsedDay[] {
  const days = new Map<string, { machine?: string; records: ParsedRecord[]; lines: number[] }>();
  for (const { key, line, machine, record } of rows) {
    const day = days.get(key) ?? {
      ...(machine !== undefined && { machine }),
      records: [],
      lines: [],
    };
    days.set(key, day);
    day.records.push(record);
    day.lines.push(line);
  }
  return [...days.values()];
}
