import { SALES_FIELDS } from '../fields/sales-fields.js';
import {
  groupRows,
  linesOf,
  problemOfCell,
  toNumber,
  type FileProblem,
  type ParsedFile,
  type ParsedRow,
} from './parsed-file.js';

const REQUIRED = [
  'restaurant_id',
  'date',
  'hour',
  ...SALES_FIELDS.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
];
const KNOWN = new Set<string>([...REQUIRED, ...SALES_FIELDS.map(({ name }) => name)]);

/** Parses CSV (RFC 4180, without line breaks in cells): a header line with the names of the fields in any order. */
export function parseCsv(text: string): ParsedFile {
  const [header, ...lines] = linesOf(text);
  if (!header) return { days: [], problems: [{ line: null, message: 'the file is empty' }] };
  const separator = [',', ';', '\t'].find((each) => header.text.includes(each)) ?? ',';
  const cellsOf = cellsBetween(separator);
  const names = cellsOf(header.text).map((name) => name.toLowerCase());
  const missing = REQUIRED.filter((name) => !names.includes(name));
  const repeated = names.filter((name, index) => KNOWN.has(name) && names.indexOf(name) < index);
  if (missing.length + repeated.length > 0) {
    const message =
      missing.length > 0
        ? `columns are missing: ${missing.join(', ')}`
        : `repeated: ${repeated.join(', ')}`;
    return { days: [], problems: [{ line: header.line, message }] };
  }
  const problems: FileProblem[] = [];
  const rows = lines.flatMap((line) => {
    const cells = cellsOf(line.text);
    const found = problemsOf(cells, names);
    problems.push(...found.map((message) => ({ line: line.line, message })));
    return found.length === 0 ? [toRow(line.line, cells, names)] : [];
  });
  if (lines.length === 0)
    problems.push({ line: null, message: 'there is no line after the header' });
  return { days: groupRows(rows), problems };
}

/** Returns a function that splits lines. */
function cellsBetween(separator: string): (line: string) => string[] {
  const quotedCell = `"((?:[^"]|"")*)" *(?=${separator}|$)`; // a digit after the quote makes it no number
  const cell = new RegExp(`${separator} *(?:${quotedCell}|([^${separator}]*))`, 'g');
  return (line) =>
    [...(separator + line).matchAll(cell)].map(([, quoted, plain]) =>
      (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
    );
}

function problemsOf(cells: readonly string[], names: readonly string[]): string[] {
  if (cells.length !== names.length)
    return [`${cells.length} cells, but the header has ${names.length}`];
  return names.flatMap((name, index) =>
    KNOWN.has(name) ? (problemOfCell(name, cells[index]!) ?? []) : [],
  );
}

/** An empty cell of an optional field is left out. */
function toRow(line: number, cells: readonly string[], names: readonly string[]): ParsedRow {
  const record: Record<string, unknown> = {};
  names.forEach((name, index) => {
    const cell = cells[index]!;
    if (!KNOWN.has(name) || (cell === '' && !REQUIRED.includes(name))) return;
    record[name] = name === 'date' ? cell : toNumber(cell);
  });
  return { line, key: `${String(record['restaurant_id'])} ${String(record['date'])}`, record };
}
