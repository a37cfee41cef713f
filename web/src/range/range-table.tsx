import type { JSX } from 'preact';
import { shortDate } from '../dates.js';
import { labelOf } from '../fields.js';
import { changeText, sumOf, type ComparedDay } from './range-data.js';
import { addDecimals } from './decimal.js';

const FIELDS = ['gto', 'orders', 'pax', 'gst', 'svc', 'discount'] as const;

/** Shows the totals of each day, beside the same weekday before. */
export function RangeTable({ days }: { readonly days: readonly ComparedDay[] }): JSX.Element {
  const before = addDecimals(days.map((day) => day.before));
  return (
    <section>
      <h2>Totals</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Totals by day">
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {FIELDS.map((field) => (
                <th scope="col">{labelOf(field)}</th>
              ))}
              <th scope="col">Turnover 7 days before</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <Row heading={shortDate(day.date)} figure={(field) => day.totals[field] ?? ''} before={day.before} />
            ))}
          </tbody>
          <tfoot>
            <Row heading="Total" figure={(field) => sumOf(days, field)} before={before} />
          </tfoot>
        </table>
      </div>
    </section>
  );
}

interface RowProps {
  readonly heading: string;
  readonly figure: (field: string) => string;
  readonly before: string;
}

function Row({ heading, figure, before }: RowProps): JSX.Element {
  return (
    <tr>
      <th scope="row">{heading}</th>
      {FIELDS.map((field) => (
        <td>{figure(field)}</td>
      ))}
      <td>{before}</td>
      <td>{changeText(figure('gto'), before)}</td>
    </tr>
  );
}
