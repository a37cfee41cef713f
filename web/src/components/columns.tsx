import type { ComponentChildren } from 'preact';
import { amountText, numberText, percentText } from '../amounts.js';
import { shortDate } from '../dates.js';
import { type Field, type Figures, kindOf, labelOf } from '../fields.js';

/** A column of a table: what it shows, sorts by, and writes into files. */
export interface Column<Row> {
  readonly label: string;
  readonly title?: string;
  /** How the value is shown; text is shown as it is. */
  readonly kind?: 'text' | 'amount' | 'count' | 'percent' | 'date';
  /** The value: digits without grouping, a date as YYYY-MM-DD, or text. */
  readonly value: (row: Row) => string | undefined;
  /** What is shown instead of the label, in a column by which nothing is sorted. */
  readonly head?: ComponentChildren;
  readonly show?: (row: Row) => ComponentChildren;
  /** Sorts by another number than the value. */
  readonly sortValue?: (row: Row) => number;
  /** Whether it is written into files alone. */
  readonly only?: 'file';
}

/** What is saved as a file. */
export interface Sheet<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** A column of a figure. */
export function figureColumn<Row>(
  field: Field,
  totalsOf: (row: Row) => Figures,
  others: Partial<Column<Row>> = {},
): Column<Row> {
  const value = (row: Row): string | undefined => totalsOf(row)[field];
  return { label: labelOf(field), kind: kindOf(field), value, ...others };
}

interface Named {
  readonly restaurant_id: string;
  readonly name: string;
}

/** The columns of a restaurant: its name with its number, which stands in a column of its own in files. */
export function nameColumns<Row>(
  of: (row: Row) => Named,
  addressOf?: (row: Row) => string,
): Column<Row>[] {
  return [
    {
      label: 'Restaurant',
      value: (row) => of(row).name,
      show: (row) => <Name of={of(row)} address={addressOf?.(row)} />,
    },
    { label: 'Number', only: 'file', value: (row) => of(row).restaurant_id },
  ];
}

/** A restaurant's name with its number, which is never cut. */
export function Name({ of, address }: { of: Named; address?: string | undefined }) {
  const { name, restaurant_id: id } = of;
  const shown = <bdi class="cut">{name}</bdi>;
  return (
    <span class="name" title={`${name} (${id})`}>
      {address === undefined ? shown : <a href={address}>{shown}</a>}{' '}
      <small class="note">{id}</small>
    </span>
  );
}

const WRITERS = {
  ...{ text: String, amount: amountText, count: numberText },
  ...{ percent: percentText, date: shortDate },
};

/** Writes a value as its column shows it. */
export const textOf = (kind: Column<unknown>['kind'] = 'text', value = ''): string =>
  value === '' ? '' : WRITERS[kind](value);

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export interface Order {
  readonly column: string;
  readonly isAscending: boolean;
}

/** Sorts rows by numbers, or else by text; rows without a number are the last ones either way. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { column, isAscending }: Order,
): readonly Row[] {
  const found = columns.find(({ label }) => label === column);
  if (!found) return rows;
  const { kind = 'text', value, sortValue } = found;
  const sign = isAscending ? 1 : -1;
  if (sortValue || /amount|count|percent/.test(kind)) {
    const numberOf = sortValue ?? ((row: Row) => Number(value(row) || NaN));
    const numbers = new Map(rows.map((row) => [row, numberOf(row)]));
    const isKnown = (row: Row): boolean => !Number.isNaN(numbers.get(row));
    const known = rows.filter(isKnown);
    known.sort((one, other) => sign * (numbers.get(one)! - numbers.get(other)!));
    return [...known, ...rows.filter((row) => !isKnown(row))];
  }
  return rows.toSorted(
    (one, other) => sign * collator.compare(value(one) ?? '', value(other) ?? ''),
  );
}
