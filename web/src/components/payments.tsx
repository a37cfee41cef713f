import { addDecimals, amountText, percentOf, percentText } from '../amounts.js';
import { type Figures, labelOf, PAYMENTS } from '../fields.js';
import { Card } from './card.js';

/** Shows how was paid, as one bar and as a table. */
export function Payments({ totals }: { totals: Figures }) {
  const paid = PAYMENTS.filter((field) => /[1-9]/.test(totals[field] ?? '')).sort(
    (one, other) => Number(totals[other]) - Number(totals[one]),
  );
  const sum = addDecimals(paid.map((field) => totals[field]!));
  const share = (field: string): string => percentOf(totals[field]!, sum) ?? '0';
  return (
    <Card title="Payments" note={paid.length > 0 && `${amountText(sum)} in all`}>
      {paid.length === 0 ? (
        <p class="empty">No payments were sent.</p>
      ) : (
        <>
          <div class="shares" aria-hidden="true">
            {paid.map((field, index) => (
              <i key={field} class={`share-${index}`} style={{ flexGrow: share(field) }} />
            ))}
          </div>
          <table class="plain" aria-label="Payments">
            <tbody>
              {paid.map((field, index) => (
                <tr key={field}>
                  <th scope="row">
                    <i class={`swatch share-${index}`} aria-hidden="true" />
                    {labelOf(field)}
                  </th>
                  <td>{amountText(totals[field]!)}</td>
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
