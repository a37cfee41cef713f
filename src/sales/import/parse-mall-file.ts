import { linesOf, MACHINE, parseLines, type ParsedFile } from './parsed-file.js';

const names = [
  MACHINE, 'BATCH', 'date', 'hour', 'orders', 'gto', 'gst', 'discount', 'svc', 'pax', 'cash', 'nets', 'visa', 'master',
  'amex', 'voucher', 'other', 'GST_REGISTERED',
]; // prettier-ignore

/** Parses the hourly file that malls ask of their tenants; see docs/integrating.md#mall-files */
export function parseMallFile(text: string): ParsedFile {
  const expectation = `cells with | between, but there must be ${names.length}`;
  const cellsOf = (line: string): string[] => line.split('|').map((cell) => cell.trim());
  return parseLines(linesOf(text), { names, cellsOf, expectation, toDate });
}

/** Accepts DDMMYYYY, YYYYMMDD (whose middle cannot be a year from 1300) and YYYY-MM-DD. */
function toDate(text: string): string {
  if (!/^\d{8}$/.test(text)) return text;
  const yearFirst = Number(text.slice(4, 6)) <= 12;
  const [year, month, day] = yearFirst ? [0, 4, 6] : [4, 2, 0];
  return `${text.slice(year, year + 4)}-${text.slice(month, month + 2)}-${text.slice(day, day + 2)}`;
}
