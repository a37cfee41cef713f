import { SALES_FIELDS } from '../fields/sales-fields.js';

/** A record as a client would send it; a cell that is not a number stays text, to be rejected. */
type ParsedRecord = Readonly<Record<string, unknown>>;

/** The records of one restaurant and one date, which are one upload. */
export interface ParsedDay {
  /** Is set for files that name a machine instead of a restaurant. */
  readonly machine?: string;
  readonly records: readonly ParsedRecord[];
  /** The line of each record in its file, from 1; empty for JSON. */
  readonly lines: readonly number[];
}

interface FileProblem {
  /** The line, or null for the whole file. */
  readonly line: number | null;
  readonly message: string;
}

interface ParsedFile {
  readonly days: readonly ParsedDay[];
  /** If there are any, the file should not be uploaded. */
  readonly problems: readonly FileProblem[];
}

interface Line {
  /** Number of the line, counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** How lines become records. */
interface LineFormat {
  /** The names of the cells: fields of a record, MACHINE, and others, which are left out. */
  readonly names: readonly string[];
  readonly cellsOf: (line: string) => readonly string[];
  /** Ends the problem of a line that has another number of cells. */
  readonly expectation: string;
  readonly toDate?: (cell: string) => string;
}

/** The cell that names a machine; it must not be empty. */
const MACHINE = 'MACHINE';

const REQUIRED_FIELDS = [
  'restaurant_id',
  'date',
  'hour',
  ...SALES_FIELDS.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
];
const FIELDS = new Set<string>([...REQUIRED_FIELDS, ...SALES_FIELDS.map(({ name }) => name)]);

const DECIMAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Longest cell that is parsed; no value is longer. */
const MAX_CELL_LENGTH = 100;

/** Digits that a JSON number carries between machines (RFC 8259 section 6). */
const MAX_DIGITS = 15;

/** Parses a file of sales; its first characters tell the formats apart. Runs in browsers too. */
export function parseSalesFile(text: string): ParsedFile {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('{') || start.startsWith('[')) return parseJson(start);
  return /^[^\n]*\|/.test(start) ? parseMallFile(text) : parseCsv(text);
}

function parseJson(text: string): ParsedFile {
  let message = 'must be a JSON object with an array "records" of objects';
  try {
    const { records } = JSON.parse(text) as { readonly records?: unknown };
    if (Array.isArray(records) && records.every(isObject))
      return { days: [{ records: records as ParsedRecord[], lines: [] }], problems: [] };
  } catch (error) {
    message = `is not JSON: ${(error as Error).message}`;
  }
  return failed(null, message);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses CSV (RFC 4180, no line break in a cell) whose header names the fields in any order. */
function parseCsv(text: string): ParsedFile {
  const [header, ...lines] = linesOf(text);
  if (!header) return failed(null, 'the file is empty');
  const separator = [',', ';', '\t'].find((each) => header.text.includes(each)) ?? ',';
  const cellsOf = cellsBetween(separator);
  const names = cellsOf(header.text).map((name) => name.toLowerCase());
  const missing = REQUIRED_FIELDS.filter((name) => !names.includes(name));
  if (missing.length > 0) return failed(header.line, `columns are missing: ${missing.join(', ')}`);
  const repeated = names.filter((name, index) => FIELDS.has(name) && names.indexOf(name) < index);
  if (repeated.length > 0) return failed(header.line, `repeated: ${repeated.join(', ')}`);
  if (lines.length === 0) return failed(null, 'there is no line after the header');
  const expectation = `cells, but the header has ${names.length}`;
  return parseLines(lines, { names, cellsOf, expectation });
}

function failed(line: number | null, message: string): ParsedFile {
  return { days: [], problems: [{ line, message }] };
}

/** Returns a function that splits a line at a separator. */
function cellsBetween(separator: string): (line: string) => string[] {
  const quotedCell = `"((?:[^"]|"")*)" *(?=${separator}|$)`; // `"1"2` is not a number
  const cell = new RegExp(`${separator} *(?:${quotedCell}|([^${separator}]*))`, 'g');
  return (line) =>
    [...(separator + line).matchAll(cell)].map(([, quoted, plain]) =>
      (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
    );
}

const MALL_NAMES = [
  MACHINE, 'BATCH', 'date', 'hour', 'orders', 'gto', 'gst', 'discount', 'svc', 'pax', 'cash', 'nets', 'visa', 'master',
  'amex', 'voucher', 'other', 'GST_REGISTERED',
]; // prettier-ignore

/** Parses the hourly file that malls ask of their tenants; see docs/integrating.md#mall-files */
function parseMallFile(text: string): ParsedFile {
  const expectation = `cells with | between, but there must be ${MALL_NAMES.length}`;
  const cellsOf = (line: string): string[] => line.split('|').map((cell) => cell.trim());
  return parseLines(linesOf(text), { names: MALL_NAMES, cellsOf, expectation, toDate });
}

/** Accepts DDMMYYYY, YYYYMMDD (whose middle cannot be a year from 1300) and YYYY-MM-DD. */
function toDate(text: string): string {
  if (!/^\d{8}$/.test(text)) return text;
  const yearFirst = Number(text.slice(4, 6)) <= 12;
  const [year, month, day] = yearFirst ? [0, 4, 6] : [4, 2, 0];
  return `${text.slice(year, year + 4)}-${text.slice(month, month + 2)}-${text.slice(day, day + 2)}`;
}

/** Splits text into its lines that are not empty. */
function linesOf(text: string): Line[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  return lines
    .map((each, index) => ({ line: index + 1, text: each }))
    .filter((each) => each.text.trim() !== '');
}

/** Parses lines into days, in the order of their first lines. */
function parseLines(lines: readonly Line[], format: LineFormat): ParsedFile {
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
