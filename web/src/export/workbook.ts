import writeExcelFile from 'write-excel-file/browser';
import type { Sheet } from '../components/columns.js';

/** The number formats of the kinds. */
const FORMATS = {
  ...{ text: '@', amount: '#,##0.00########', count: '#,##0' },
  ...{ percent: '0.0%', date: 'ddd d mmm yyyy' },
} as const;

/** Saves rows as a workbook with real numbers and dates. */
export function saveWorkbook<Row>({ name, columns, rows }: Sheet<Row>): Promise<void> {
  const written = columns.map(({ label, kind = 'text', value }) => ({
    header: { value: label, fontWeight: 'bold' as const },
    cell: (row: Row) => cellOf(kind, value(row) ?? ''),
    width: kind === 'text' ? 28 : 16,
  }));
  const options = { sheet: 'Sales', columns: written, stickyRowsCount: 1 };
  return writeExcelFile([...rows], options).toFile(`${name}.xlsx`);
}

function cellOf(kind: keyof typeof FORMATS, value: string) {
  if (value === '') return null;
  const format = FORMATS[kind];
  if (kind === 'date') return { value: new Date(value), format };
  if (kind === 'text' || !isExact(value)) return { value, format: FORMATS.text };
  return { value: kind === 'percent' ? Number(value) / 100 : Number(value), format };
}

/** Excel's numbers have 15 digits; an amount with more of them stays text, whole. */
const isExact = (digits: string): boolean =>
  digits.replace(/^-?0*\.?0*/, '').replace('.', '').length <= 15;
