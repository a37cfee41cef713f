import { saveCsv } from '../export/csv.js';
import { FIELD_NAMES } from '../fields.js';

/** Saves a file of our own format with its headings and one hour as an example. */
export function saveTemplate(): void {
  const example = { restaurant_id: '101', date: '2026-01-31', hour: '12' };
  const zeros = Object.fromEntries(FIELD_NAMES.map((field) => [field, '0']));
  const row: Readonly<Record<string, string>> = { ...example, ...zeros };
  const columns = Object.keys(row).map((label) => ({
    label,
    value: () => row[label],
    kind: 'count' as const,
  }));
  saveCsv('sales-template', columns, [row]);
}
