import { addDecimals, amountText, percentOf } from '../amounts.js';
import { type Field, type Figures, labelOf, PAYMENTS } from '../fields.js';
import { Card } from './card.js';
import type { Column } from './columns.js';
import { Table } from './table.js';

/** Shows how guests paid, as one bar and as a table. */
export function Payments({ totals }: { totals: Figures }) {
  const paid = PAYMENTS.filter((field) => /[1-9]/.test(totals[field])).sort(
    (one, other) => Number(totals[other]) - Number(totals[one]),
  );
  const sum = addDecimals(paid.map((field) => totals[field]));
  const share = (field: Field): string => percentOf(totals[field], sum) ?? '0';
  const part = (field: Field) => (
    <i
      key={field}
      class="share"
      style={{ '--n': paid.indexOf(field), flexGrow: share(field) }}
      aria-hidden="true"
    />
  );
  const columns: readonly Column<Field>[] = [
    { label: 'Payment', value: labelOf, show: (field) => [part(field), labelOf(field)] },
    { label: 'Amount', kind: 'amount', value: (field) => totals[field] },
    { label: 'Share', kind: 'percent', value: share },
  ];
  return (
    <Card title="How guests paid" note={paid.length > 0 && `${amountText(sum)} in all`}>
      {paid.length > 0 && <div class="shares">{paid.map(part)}</div>}
      <Table
        label="Payments"
        columns={columns}
        rows={paid}
        keyOf={(field) => field}
        empty="No payments were sent."
      />
    </Card>
  );
}
