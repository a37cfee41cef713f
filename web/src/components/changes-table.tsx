import { addDecimals, differenceText, subtract } from '../amounts.js';
import type { HourChange } from '../api/shapes.js';
import { type Field, FIELD_NAMES, figureText, hourText, kindOf, labelOf } from '../fields.js';
import type { Column } from './columns.js';
import { Table } from './table.js';

export interface FieldChange {
  readonly hour: string;
  readonly field: Field;
  readonly before: string;
  readonly after: string;
}

/** Lists the fields that an upload changed in hours that were there before. */
export function overwritesOf(changes: readonly HourChange[]): FieldChange[] {
  return changes.flatMap(({ hour, before, after }) => {
    if (!before) return [];
    const fields = FIELD_NAMES.filter((field) => before[field] !== after[field]);
    return fields.map((field) => ({ hour, field, before: before[field], after: after[field] }));
  });
}

/** Says what an upload did to the turnover of the day. */
export function turnoverOf(changes: readonly HourChange[]): { before: string; after: string } {
  return {
    before: addDecimals(changes.map(({ before }) => before?.gto ?? '0')),
    after: addDecimals(changes.map(({ after }) => after.gto)),
  };
}

/** Writes a difference as `+42.79`, or `−1` of counts. */
export function differenceOf(field: Field, before: string, after: string): string {
  const text = differenceText(subtract(after, before));
  return kindOf(field) === 'count' ? text.replace(/\.00$/, '') : text;
}

const figure = (label: string, of: 'before' | 'after'): Column<FieldChange> => ({
  label,
  kind: 'amount',
  value: (change) => change[of],
  show: (change) => figureText(change.field, change[of]),
});

const columnsOf = (was: string, is: string): readonly Column<FieldChange>[] => [
  { label: 'Hour', value: ({ hour }) => hourText(hour) },
  { label: 'Figure', value: ({ field }) => labelOf(field) },
  figure(was, 'before'),
  figure(is, 'after'),
  {
    label: 'Difference',
    kind: 'amount',
    value: ({ before, after }) => subtract(after, before),
    show: ({ field, before, after }) => differenceOf(field, before, after),
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
