import { SALES_FIELDS } from '../fields/sales-fields.js';

/** A record as a client would send it; a cell that is not a number stays text, to be rejected. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

/** The records of one restaurant and one date, which are one upload. */
export interface ParsedDay {
  /** Is set for files that name a machine instead of a restaurant. */
  readonly machine?: string;
  readonly records: readonly ParsedRecord[];
  /** The line of each record in its file, from 1; empty for JSON. */
  readonly lines: readonly number[];
}

export interface FileProblem {
  /** The line, or null for the whole file. */
  readonly line: number | null;
  readonly message: string;
}

export interface ParsedFile {
  readonly days: readonly ParsedDay[];
  /** If there are any, the file should not be uploaded. */
  readonly problems: readonly FileProblem[];
}

export interface Line {
  /** Number of the line, counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** How lines become records. */
export interface LineFormat {
  /** The names of the cells: fields of a record, MACHINE, and others, which are left out. */
  readonly names: readonly string[];
  readonly cellsOf: (line: string) => readonly string[];
  /** Ends the problem of a line that has another number of cells. */
  readonly expectation: string;
  readonly toDate?: (cell: string) => string;
}

/** The cell that names a machine; it must not be empty. */
export const MACHINE = 'MACHINE';

export const REQUIRED_FIELDS = [
  'restaurant_id',
  'date',
  'hour',
  ...SALES_FIELDS.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
];
export const FIELDS = new Set<string>([
  ...REQUIRED_FIELDS,
  ...SALES_FIELDS.map(({ name }) => name),
]);

const DECIMAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Longest cell that is parsed; no value is longer. */
const MAX_CELL_LENGTH = 100;

/** Digits that a JSON number carries between machines (RFC 8259 section 6). */
const MAX_DIGITS = 15;

/** Splits text into its lines that are not empty. */
export function linesOf(text: string): Line[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  return lines
    .map((each, index) => ({ line: index + 1, text: each }))
    .filter((each) => each.text.trim() !== '');
}

/** Parses lines into days, in the order of their first lines. */
export function parseLines(lines: readonly Line[], format: LineFormat): ParsedFile {
  const days = new Map<string, { machine?: string; records: ParsedRecord[]; lines: number[] }>();
  const problems: FileProblem[] = [];
  for (const { line, text } of lines) {
    const cells = format.cellsOf(text);
    const found = problemsOf(cells, format);
    problems.push(...found.map((message) => ({ line, message })));
    if (found.length > 0) continue;
    const record = toRecord(cells, format);
    const machine = cells[format.names.indexOf(MACHINE)];
    const key = `${machine ?? String(record['restaurant_id'])} ${String(record['date'])}`;
    const day = days.get(key) ?? { ...(machine && { machine }), records: [], lines: [] };
    days.set(key, day);
    day.records.push(record);
    day.lines.push(line);
  }
  return { days: [...days.values()], problems };
}

function problemsOf(cells: readonly string[], { names, expectation }: LineFormat): string[] {
  if (cells.length !== names.length) return [`${cells.length} ${expectation}`];
  return names.flatMap((name, index) => problemOf(name, cells[index]!) ?? []);
}

function problemOf(name: string, cell: string): string | undefined {
  if (name === MACHINE) return cell === '' ? 'the machine is missing' : undefined;
  if (!FIELDS.has(name)) return undefined;
  if (cell.length > MAX_CELL_LENGTH) return `${name} is longer than ${MAX_CELL_LENGTH} characters`;
  if (DECIMAL.test(cell) && significantDigits(cell) > MAX_DIGITS)
    return `${name} has more than ${MAX_DIGITS} digits`;
  return undefined;
}

function significantDigits(cell: string): number {
  const [whole = '', fraction = ''] = cell.replace('-', '').split('.');
  return (whole + fraction.replace(/0+$/, '')).replace(/^0+/, '').length;
}

/** An empty cell of an optional field is left out. */
function toRecord(cells: readonly string[], { names, toDate = String }: LineFormat): ParsedRecord {
  const record: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) {
    const cell = cells[index]!;
    if (!FIELDS.has(name) || (cell === '' && !REQUIRED_FIELDS.includes(name))) continue;
    if (name === 'date') record[name] = toDate(cell);
    else record[name] = DECIMAL.test(cell) ? Number(cell) : cell; // exact up to MAX_DIGITS
  }
  return record;
}
