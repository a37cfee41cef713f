import { SALES_FIELDS } from '../fields/sales-fields.js';

/** A record as a client would send it; a cell that is not a number stays text, to be rejected. */
type ParsedRecord = Readonly<Record<string, unknown>>;

/** The records of one restaurant and one date, which are one upload. */
export interface ParsedDay {
  /** The machine that a file names instead of a restaurant. */
  readonly machine?: string;
  readonly records: readonly ParsedRecord[];
  /** The line of each record in its file, from 1; empty for JSON. */
  readonly lines: readonly number[];
}

/** If there are problems, the file should not be uploaded. */
interface ParsedFile {
  readonly days: readonly ParsedDay[];
  readonly problems: readonly string[];
}

interface Line {
  readonly lineNumber: number;
  readonly cells: readonly string[];
}

/** The cell that names a machine, in capitals, which no column of a CSV file has. */
const MACHINE = 'MACHINE';

const MALL_NAMES = [
  MACHINE, 'BATCH', 'date', 'hour', 'orders', 'gto', 'gst', 'discount', 'svc', 'pax', 'cash', 'nets', 'visa', 'master',
  'amex', 'voucher', 'other', 'GST_REGISTERED',
]; // prettier-ignore

const KEYS = ['restaurant_id', 'date', 'hour'];
const REQUIRED = SALES_FIELDS.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
const FIELDS = new Set<string>([...KEYS, ...SALES_FIELDS.map(({ name }) => name)]);

const DECIMAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Parses a file of sales; its first characters tell the formats apart. Runs in browsers too. */
export function parseSalesFile(text: string): ParsedFile {
  const content = text.replace(/^\uFEFF/, '');
  const start = content.trimStart();
  if (/^[[{]/.test(start)) return parseJson(start);
  return /^[^\n]*\|/.test(start)
    ? parseLines(MALL_NAMES, linesOf(content, '|')) // see docs/integrating.md#mall-files
    : parseCsv(content);
}

function parseJson(text: string): ParsedFile {
  try {
    const { records } = JSON.parse(text) as { readonly records?: unknown };
    if (Array.isArray(records) && records.every(isObject))
      return { days: [{ records, lines: [] }], problems: [] };
  } catch (error) {
    return failed(`is not JSON: ${(error as Error).message}`);
  }
  return failed('must be a JSON object with an array "records" of objects');
}

function isObject(value: unknown): value is ParsedRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function failed(...problems: readonly string[]): ParsedFile {
  return { days: [], problems };
}

/** Parses CSV (RFC 4180, no line break in a cell) whose header names the fields in any order. */
function parseCsv(text: string): ParsedFile {
  const separator = /[,;\t]/.exec(text)?.[0] ?? ',';
  const [header, ...lines] = linesOf(text, separator);
  if (!header) return failed('the file is empty');
  const names = header.cells.map((name) => name.toLowerCase());
  const missing = [...KEYS, ...REQUIRED].filter((name) => !names.includes(name));
  if (missing.length > 0) return failed(`columns are missing: ${missing.join(', ')}`);
  const repeated = names.filter((name, index) => FIELDS.has(name) && names.indexOf(name) < index);
  if (repeated.length > 0) return failed(`columns are repeated: ${repeated.join(', ')}`);
  return lines.length > 0 ? parseLines(names, lines) : failed('there is no line after the header');
}

/** Splits text into its lines that are not empty, and those into cells. */
function linesOf(text: string, separator: string): Line[] {
  // What follows the quotes must be a separator: `"1"2` is not a number.
  const quoted = `"((?:[^"]|"")*)" *(?=[${separator}]|$)`;
  const cell = new RegExp(`[${separator}] *(?:${quoted}|([^${separator}]*))`, 'g');
  return text.split(/\r\n|\r|\n/).flatMap((row, index) => {
    if (row.trim() === '') return [];
    const cells = [...(separator + row).matchAll(cell)].map(([, inQuotes, plain = '']) =>
      (inQuotes?.replaceAll('""', '"') ?? plain).trim(),
    );
    return [{ lineNumber: index + 1, cells }];
  });
}

/** Parses lines into days, in the order of their first lines. */
function parseLines(names: readonly string[], lines: readonly Line[]): ParsedFile {
  const days = new Map<string, { machine?: string; records: ParsedRecord[]; lines: number[] }>();
  const problems: string[] = [];
  for (const { lineNumber, cells } of lines) {
    const machine = cells[names.indexOf(MACHINE)];
    if (cells.length !== names.length)
      problems.push(`line ${lineNumber}: ${cells.length} cells instead of ${names.length}`);
    else if (machine === '') problems.push(`line ${lineNumber}: the machine is missing`);
    else {
      const record = toRecord(names, cells);
      const key = `${machine ?? String(record['restaurant_id'])} ${String(record['date'])}`;
      const day = days.get(key) ?? { ...(machine && { machine }), records: [], lines: [] };
      days.set(key, day);
      day.records.push(record);
      day.lines.push(lineNumber);
    }
  }
  return { days: [...days.values()], problems };
}

/** Makes a record of the cells that are not empty: an empty one counts as a missing field. */
function toRecord(names: readonly string[], cells: readonly string[]): ParsedRecord {
  const record: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) {
    const cell = cells[index]!;
    if (!FIELDS.has(name) || cell === '') continue;
    if (name === 'date') record[name] = toDate(cell);
    else record[name] = DECIMAL.test(cell) ? Number(cell) : cell;
  }
  return record;
}

/** Writes DDMMYYYY and YYYYMMDD as YYYY-MM-DD; no YYYYMMDD ends like a year from 2000 to 2099. */
function toDate(text: string): string {
  return text
    .replace(/^(\d\d)(\d\d)(20\d\d)$/, '$3-$2-$1')
    .replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
}
