import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { download, toCsv } from '../download.js';
import { hourText, labelOf, type Figures } from '../fields.js';
import type { Day } from './day-data.js';

/** Shows every figure of the day as it is stored. */
export function DayTable({ day }: { readonly day: Day }): JSX.Element {
  const totals: Figures = day.totals;
  const fields = Object.keys(totals);
  return (
    <section>
      <h2>Figures</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Figures by hour">
        <table>
          <thead>
            <tr>
              <th scope="col">Hour</th>
              {fields.map((field) => (
                <th scope="col">{labelOf(field)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {day.records.map((record) => (
              <Row heading={hourText(record.hour)} fields={fields} figures={record} />
            ))}
          </tbody>
          <tfoot>
            <Row heading="Total" fields={fields} figures={totals} />
          </tfoot>
        </table>
      </div>
      <CopyButton day={day} fields={fields} />
    </section>
  );
}

interface RowProps {
  readonly heading: string;
  readonly fields: readonly string[];
  readonly figures: Figures;
}

function Row({ heading, fields, figures }: RowProps): JSX.Element {
  return (
    <tr>
      <th scope="row">{heading}</th>
      {fields.map((field) => (
        <td>{figures[field]}</td>
      ))}
    </tr>
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
