import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { download, toCsv } from '../download.js';
import { hourText, labelOf, type Figures } from '../fields.js';
import { FiguresTable } from '../figures-table.js';
import type { Day } from './day-data.js';

/** Shows every figure of the day as it is stored. */
export function DayTable({ day }: { readonly day: Day }): JSX.Element {
  const totals: Figures = day.totals;
  const fields = Object.keys(totals);
  const cells = (heading: string, figures: Figures) => [heading, ...fields.map((field) => figures[field])];
  return (
    <section>
      <h2>Figures</h2>
      <FiguresTable
        label="Figures by hour"
        head={['Hour', ...fields.map(labelOf)]}
        rows={day.records.map((record) => cells(hourText(record.hour), record))}
        total={cells('Total', totals)}
      />
      <CopyButton day={day} fields={fields} />
    </section>
  );
}

function CopyButton({ day, fields }: { readonly day: Day; readonly fields: readonly string[] }): JSX.Element {
  const [done, setDone] = useState('');
  const copy = async (): Promise<void> => {
    const header = ['restaurant_id', 'date', 'hour', ...fields];
    const text = toCsv(
      header,
      day.records.map((record: Figures) => header.map((name) => record[name] ?? '')),
    );
    try {
      await navigator.clipboard.writeText(text);
      setDone('Copied.');
    } catch {
      download(`sales-${day.restaurant_id}-${day.date}.csv`, 'text/csv', text);
      setDone('Downloaded, because this browser does not let the page copy.');
    }
  };
  return (
    <p class="no-print">
      <button type="button" onClick={() => void copy()}>
        Copy as CSV
      </button>{' '}
      <span role="status">{done}</span>
    </p>
  );
}
