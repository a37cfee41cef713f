import type { JSX } from 'preact';
import { labelOf, PAYMENTS, type Figures } from '../fields.js';
import { Picture } from '../picture/picture.js';
import type { Day } from './day-data.js';

/** Draws turnover and covers by hour, and the payment kinds. */
export function DayPictures({ day }: { readonly day: Day }): JSX.Element {
  const totals: Figures = day.totals;
  const byHour = (field: 'gto' | 'pax') =>
    day.records.map((record) => ({ label: record.hour, value: Number(record[field]) }));
  const payments = PAYMENTS.filter((field) => Number(totals[field]) > 0);
  const shares = PAYMENTS.map((field) => ({ label: labelOf(field), value: Number(totals[field]) }));
  return (
    <section class="pictures" aria-label="Pictures">
      <Picture kind="hours" title="Turnover by hour" values={byHour('gto')} />
      <Picture kind="hours" title="Covers by hour" values={byHour('pax')} />
      <div>
        <Picture kind="share" title="Payments" values={shares} />
        <ul class="legend">
          {payments.map((field) => (
            <li class={field}>
              {labelOf(field)} {totals[field]}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
