import { differenceText, subtract } from '../amounts.js';
import { figureText, hourText, labelOf } from '../fields.js';
import { kindOf } from '../fields.js';
import type { Column } from './columns.js';
import { Table } from './table.js';

/** A field of an hour that changed. */
export interface FieldChange {
  readonly hour: string;
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

const difference = ({ before, after }: FieldChange): string => subtract(after, before);

const columnsOf = (was: string, is: string): readonly Column<FieldChange>[] => [
  { label: 'Hour', value: ({ hour }) => hourText(hour) },
  { label: 'Figure', value: ({ field }) => labelOf(field), class: () => 'left' },
  {
    label: was,
    kind: 'amount',
    value: ({ before }) => before,
    show: ({ field, before }) => figureText(field, before),
  },
  {
    label: is,
    kind: 'amount',
    value: ({ after }) => after,
    show: ({ field, after }) => figureText(field, after),
  },
  {
    label: 'Difference',
    kind: 'amount',
    value: difference,
    show: (change) =>
      kindOf(change.field) === 'count'
        ? differenceText(difference(change)).replace(/\.00$/, '')
        : differenceText(difference(change)),
  },
];

interface ChangesTableProps {
  readonly label: string;
  readonly changes: readonly FieldChange[];
  readonly was?: string;
  readonly is?: string;
}

/** Lists values before and after, a line for each figure that changed. */
export function ChangesTable({ label, changes, was = 'Before', is = 'After' }: ChangesTableProps) {
  return (
    <Table
      label={label}
      columns={columnsOf(was, is)}
      rows={changes}
      keyOf={({ hour, field }) => `${hour} ${field}`}
      empty="Nothing changed."
    />
  );
}
