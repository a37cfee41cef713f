import { addDecimals, amountText, percentOf, percentText } from '../amounts.js';
import { type Field, type Figures, labelOf, PAYMENTS } from '../fields.js';
import { Card } from './card.js';

/** Shows how guests paid, as one bar and as a table. */
export function Payments({ totals }: { totals: Figures }) {
  const paid = PAYMENTS.filter((field) => /[1-9]/.test(totals[field])).sort(
    (one, other) => Number(totals[other]) - Number(totals[one]),
  );
  const sum = addDecimals(paid.map((field) => totals[field]));
  const share = (field: Field): string => percentOf(totals[field], sum) ?? '0';
  return (
    <Card title="How guests paid" note={paid.length > 0 && `${amountText(sum)} in all`}>
      {paid.length === 0 ? (
        <p class="empty">No payments were sent.</p>
      ) : (
        <>
          <div class="shares" aria-hidden="true">
            {paid.map((field, index) => (
              <i key={field} class="share" style={{ '--n': index, flexGrow: share(field) }} />
            ))}
          </div>
          <table class="plain" aria-label="Payments">
            <tbody>
              {paid.map((field, index) => (
                <tr key={field}>
                  <th scope="row">
                    <i class="share" style={{ '--n': index }} aria-hidden="true" />
                    {labelOf(field)}
                  </th>
                  <td>{amountText(totals[field])}</td>
                  <td class="note">{percentText(share(field))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Card>
  );
}
