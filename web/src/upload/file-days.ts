import type { PlannedDay } from '../../../src/sales/files/add-up.js';
import { addDecimals } from '../amounts.js';
import type { HourChange } from '../api/shapes.js';

export type DayState =
  | { readonly kind: 'checking' | 'sending' }
  /** A faulty cell is named by its record and field: `3 gto`. */
  | { readonly kind: 'rejected'; readonly message: string; readonly cells: readonly string[] }
  /** Hours are stored from tills that are not in these files. */
  | { readonly kind: 'foreign'; readonly message: string }
  | {
      readonly kind: 'ready';
      readonly changes: readonly HourChange[];
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'unchecked' | 'failed' | 'saved'; readonly message: string };

/** One upload: the hours of a restaurant and a date, added up over files and tills. */
export interface FileDay {
  readonly id: string;
  readonly planned: PlannedDay;
  readonly state: DayState;
  /** Whether hours of other tills may be replaced. */
  readonly replace: boolean;
}

/** Tells two plans of a day apart: the same figures of the same files need no new check. */
export const idOf = ({ restaurant, date, source, records }: PlannedDay): string =>
  JSON.stringify([restaurant, date, source, records]);

export const filesOf = ({ planned }: FileDay): string =>
  planned.files.map(({ name }) => name).join(', ');

/** Adds up the turnover of all records; undefined if one of them is not an amount. */
export function turnoverOfRecords(records: PlannedDay['records']): string | undefined {
  const amounts = records.map((record) => record['gto']);
  if (!amounts.every(isAmount)) return undefined;
  const plain = { useGrouping: false, maximumFractionDigits: 20 };
  return addDecimals(amounts.map((amount) => amount.toLocaleString('en', plain)));
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < 1e15;
}

/** A day whose file has another that is rejected stays behind: a file is uploaded whole. */
export function isHeldBack(day: FileDay, days: readonly FileDay[]): boolean {
  const files = new Set(day.planned.files);
  return days.some(
    ({ state, planned }) =>
      /rejected|foreign/.test(state.kind) && planned.files.some((file) => files.has(file)),
  );
}
