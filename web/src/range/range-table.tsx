import type { JSX } from 'preact';
import { shortDate } from '../dates.js';
import { labelOf } from '../fields.js';
import { FiguresTable } from '../figures-table.js';
import { addDecimals } from './decimal.js';
import { changeText, sumOf, type ComparedDay } from './range-data.js';

const FIELDS = ['gto', 'orders', 'pax', 'gst', 'svc', 'discount'] as const;

/** Shows the totals of each day, beside the same weekday before. */
export function RangeTable({ days }: { readonly days: readonly ComparedDay[] }): JSX.Element {
  const before = addDecimals(days.map((day) => day.before));
  return (
    <section>
      <h2>Totals</h2>
      <FiguresTable
        label="Totals by day"
        head={['Day', ...FIELDS.map(labelOf), 'Turnover 7 days before', 'Change']}
        rows={days.map((day) => cells(shortDate(day.date), (field) => day.totals[field] ?? '', day.before))}
        total={cells('Total', (field) => sumOf(days, field), before)}
      />
    </section>
  );
}

function cells(heading: string, figure: (field: string) => string, before: string): string[] {
  return [heading, ...FIELDS.map(figure), before, changeText(figure('gto'), before)];
}
