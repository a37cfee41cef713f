import { parseSalesFile, type ParsedDay } from '../../../src/sales/import/parse-sales-file.js';
import { addDecimals } from '../amounts.js';
import type { Upload } from '../day/day-data.js';

export type DayState =
  | { readonly kind: 'unassigned' | 'checking' | 'sending' }
  /** A faulty cell is named by its record and field: `3 gto`. */
  | { readonly kind: 'rejected'; readonly message: string; readonly cells: readonly string[] }
  | { readonly kind: 'ready'; readonly changes: Upload['changes']; readonly warnings: string[] }
  | { readonly kind: 'unchecked' | 'failed' | 'saved'; readonly message: string };

/** One upload: the records of a file for one restaurant and one date. */
export interface FileDay extends ParsedDay {
  readonly id: string;
  readonly file: string;
  readonly state: DayState;
}

let count = 0;

/** Reads the days of a file, or why it cannot be uploaded. */
export async function readSalesFile(file: File) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const read = async (): Promise<string> => decoder.decode(await file.arrayBuffer());
  const text = await read().catch(() => undefined);
  if (text === undefined) return { days: [], problems: [`${file.name} is not UTF-8 text`] };
  const parsed = parseSalesFile(text);
  const problems = parsed.problems.map((problem) => `${file.name}: ${problem}`);
  const days = parsed.days.map((day): FileDay => {
    return { ...day, id: String(++count), file: file.name, state: { kind: 'checking' } };
  });
  return { days: problems.length > 0 ? [] : days, problems };
}

/** Adds up the turnover of all records; undefined if one of them is not an amount. */
export function turnoverOfRecords(records: FileDay['records']): string | undefined {
  const amounts = records.map((record) => record['gto']);
  if (!amounts.every(isAmount)) return undefined;
  const plain = { useGrouping: false, maximumFractionDigits: 20 };
  return addDecimals(amounts.map((amount) => amount.toLocaleString('en', plain)));
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < 1e15;
}
