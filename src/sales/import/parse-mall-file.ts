import {
  groupRows,
  linesOf,
  problemOfCell,
  toNumber,
  type FileProblem,
  type ParsedFile,
} from './parsed-file.js';

/** The cells of a line; those in capitals are no fields of a record. */
const COLUMNS = [
  'MACHINE', 'BATCH', 'DATE', 'hour', 'orders', 'gto', 'gst', 'discount', 'svc', 'pax', 'cash', 'nets', 'visa', 'master',
  'amex', 'voucher', 'other', 'GST_REGISTERED',
] as const; // prettier-ignore

/** Parses the hourly text file that shopping malls ask of their tenants; see docs/integrating.md#mall-files */
export function parseMallFile(text: string): ParsedFile {
  const problems: FileProblem[] = [];
  const rows = linesOf(text).flatMap(({ line, text: content }) => {
    const cells = content.split('|').map((cell) => cell.trim());
    const message = problemOf(cells);
    if (message !== undefined) problems.push({ line, message });
    return message === undefined ? [toRow(line, cells)] : [];
  });
  return { days: groupRows(rows), problems };
}

function problemOf(cells: readonly string[]): string | undefined {
  if (cells.length !== COLUMNS.length)
    return `${cells.length} cells with | between, but there must be ${COLUMNS.length}`;
  if (cells[0] === '') return 'the machine is missing';
  const problems = COLUMNS.flatMap((name, index) =>
    isField(name) ? (problemOfCell(name, cells[index]!) ?? []) : [],
  );
  return problems[0];
}

function toRow(line: number, cells: readonly string[]) {
  const [machine = '', , sent = ''] = cells;
  const date = toDate(sent);
  const fields = COLUMNS.flatMap((name, index) =>
    isField(name) ? [[name, toNumber(cells[index]!)] as const] : [],
  );
  return {
    line,
    key: `${machine} ${date}`,
    machine,
    record: { date, ...Object.fromEntries(fields) },
  };
}

function isField(name: string): boolean {
  return name === name.toLowerCase();
}

/** Accepts DDMMYYYY, YYYYMMDD and YYYY-MM-DD; DDMMYYYY of a year from 1300 has no month where YYYYMMDD has one. */
function toDate(text: string): string {
  if (!/^\d{8}$/.test(text)) return text;
  const yearFirst = Number(text.slice(4, 6)) <= 12;
  const [year, month, day] = yearFirst ? [0, 4, 6] : [4, 2, 0];
  return `${text.slice(year, year + 4)}-${text.slice(month, month + 2)}-${text.slice(day, day + 2)}`;
}
