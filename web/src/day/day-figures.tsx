import { useState } from 'preact/hooks';
import { amountText, percentText } from '../amounts.js';
import { Chart } from '../charts.js';
import { downloadCsv, toCsv } from '../csv.js';
import { DataTable } from '../data-table.js';
import { columnOf, hourText, labelOf, PAYMENTS, type Figures } from '../fields.js';
import type { Day } from './day-data.js';

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour));

/** Draws turnover and covers by hour over those of a week before, and lists the payment kinds. */
export function DayPictures({ day, before }: { day: Day; before: Day }) {
  const byHour = ({ records }: Day, field: 'gto' | 'pax'): number[] =>
    HOURS.map((hour) => Number(records.find((record) => record.hour === hour)?.[field] ?? 0));
  const chart = (title: string, field: 'gto' | 'pax') => (
    <Chart
      title={title}
      labels={HOURS}
      values={byHour(day, field)}
      before={byHour(before, field)}
    />
  );
  return (
    <section class="pictures" aria-label="Pictures">
      {chart('Turnover by hour', 'gto')}
      {chart('Covers by hour', 'pax')}
      <Payments totals={day.totals} />
    </section>
  );
}

function Payments({ totals }: { totals: Figures }) {
  const paid = PAYMENTS.filter((field) => Number(totals[field]) > 0);
  const sum = paid.reduce((total, field) => total + Number(totals[field]), 0);
  const barOf = (share: number): string =>
    `linear-gradient(90deg, var(--tint) ${share * 100}%, transparent 0)`;
  const shareOf = (field: string): number => Number(totals[field]) / sum;
  return (
    <figure>
      <figcaption>Payments</figcaption>
      <ul class="shares" aria-label="Payments">
        {paid.map((field) => (
          <li style={{ background: barOf(shareOf(field)) }}>
            {labelOf(field)}
            <b>{amountText(totals[field]!)}</b>
            <span class="note">{percentText(shareOf(field))}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** Shows every figure of the day as it is stored. */
export function DayTable({ day }: { day: Day }) {
  const [done, setDone] = useState('');
  const totals: Figures = day.totals;
  const fields = Object.keys(totals);
  const cells = (name: string, figures: Figures) => [
    name,
    ...fields.map((field) => figures[field]),
  ];
  const copy = async (): Promise<void> => {
    const header = ['restaurant_id', 'date', 'hour', ...fields];
    const rows = day.records.map((record: Figures) => header.map((name) => record[name]));
    const csv = toCsv([header, ...rows]);
    try {
      await navigator.clipboard.writeText(csv);
      setDone('Copied.');
    } catch {
      downloadCsv(`sales-${day.restaurant_id}-${day.date}.csv`, csv);
      setDone('Downloaded, because this browser does not let the page copy.');
    }
  };
  return (
    <section>
      <h2>Figures</h2>
      <DataTable
        label="Figures by hour"
        columns={[{ label: 'Hour' }, ...fields.map(columnOf)]}
        rows={day.records.map((record) => cells(hourText(record.hour), record))}
        total={cells('Total', totals)}
      />
      <p class="no-print">
        <button type="button" onClick={() => void copy()}>
          Copy as CSV
        </button>{' '}
        <span role="status">{done}</span>
      </p>
    </section>
  );
}
