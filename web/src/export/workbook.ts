import type { SheetData } from 'write-excel-file/universal';
import writeExcelFile from 'write-excel-file/universal';
import type { Column } from '../components/columns.js';
import { saveFile } from './csv.js';

type Kind = NonNullable<Column<unknown>['kind']>;

const FORMATS: Readonly<Record<Kind, string>> = {
  text: '@',
  amount: '#,##0.00########',
  count: '#,##0',
  percent: '0.0%',
  date: 'ddd d mmm yyyy',
};

/**
 * Saves rows as a workbook with real numbers and dates. The library's edition for browsers would
 * start workers from blob: addresses, which the content security policy forbids.
 */
export async function saveWorkbook<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Promise<void> {
  const head = columns.map(({ label }) => ({ value: label, fontWeight: 'bold' as const }));
  const lines = rows.map((row) => columns.map(({ kind, value }) => cellOf(kind, value(row))));
  const widths = columns.map(({ kind }) => ({ width: !kind || kind === 'text' ? 28 : 16 }));
  const data = [head, ...lines] as SheetData;
  const blob = await writeExcelFile(data, { columns: widths, stickyRowsCount: 1 }).toBlob();
  saveFile(`${name}.xlsx`, blob);
}

function cellOf(kind: Kind = 'text', value: string | undefined) {
  if (value === undefined || value === '') return null;
  const format = FORMATS[kind];
  if (kind === 'date') return { type: Date, value: new Date(value), format };
  if (kind === 'text' || !isExact(value)) return { type: String, value, format: '@' };
  return { type: Number, value: kind === 'percent' ? Number(value) / 100 : Number(value), format };
}

/** Excel's numbers have 15 digits; an amount with more of them stays text, whole. */
const isExact = (digits: string): boolean =>
  digits.replace(/^-?0*\.?0*/, '').replace('.', '').length <= 15;
