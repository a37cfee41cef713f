import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { amountText, decimalsOf, numberText } from './amounts.js';

/** Text, the digits of a number, or what is shown for a value by which rows are sorted. */
export type Cell =
  | string
  | undefined
  | { shown: ComponentChildren; value: string | number | undefined; class?: string | undefined };

export interface Column {
  readonly label: string;
  /** How digits are shown; other text is shown as it is. */
  readonly kind?: 'amount' | 'count';
}

interface DataTableProps {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column[];
  /** The rows, each of which begins with its heading. */
  readonly rows: readonly (readonly Cell[])[];
  readonly total?: readonly Cell[];
  /** The column that orders the rows at first: headings ascending, figures descending. */
  readonly orderedBy?: number;
}

/** Shows rows of figures with aligned decimal points, and a last row with their sums. */
export function DataTable({ label, columns, rows, total, orderedBy = 0 }: DataTableProps) {
  const [order, setOrder] = useState({ column: orderedBy, isAscending: orderedBy === 0 });
  const sortBy = (column: number): void =>
    setOrder({ column, isAscending: order.column === column ? !order.isAscending : column === 0 });
  const direction = order.isAscending ? 'ascending' : 'descending';
  const decimals = columns.map((_column, index) => {
    const cells = [...rows, total ?? []].map((row) => row[index]);
    return Math.max(...cells.map((cell) => (typeof cell === 'string' ? decimalsOf(cell) : 0)));
  });
  const row = ([heading, ...cells]: readonly Cell[]) => (
    <tr>
      <th scope="row">{typeof heading === 'object' ? heading.shown : heading}</th>
      {cells.map((cell, index) => cellOf(cell, columns[index + 1]?.kind, decimals[index + 1]!))}
    </tr>
  );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th scope="col" aria-sort={order.column === index ? direction : undefined}>
                <button type="button" onClick={() => sortBy(index)}>
                  {column.label}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{sorted(rows, order).map(row)}</tbody>
        {total && <tfoot>{row(total)}</tfoot>}
      </table>
    </div>
  );
}

/** Invisible zeros after an amount bring its decimal point below those of the other rows. */
function cellOf(cell: Cell = '', kind: Column['kind'], decimals: number) {
  if (typeof cell === 'object') return <td class={cell.class}>{cell.shown}</td>;
  if (kind !== 'amount' || cell === '')
    return <td>{kind === 'count' ? numberText(cell) : cell}</td>;
  return <td data-pad={'0'.repeat(decimals - decimalsOf(cell))}>{amountText(cell)}</td>;
}

type Order = { readonly column: number; readonly isAscending: boolean };

/** Sorts rows by numbers, or else by text; unknown numbers are the lowest. */
function sorted(rows: DataTableProps['rows'], { column, isAscending }: Order) {
  const valueOf = (row: readonly Cell[]) => {
    const cell = row[column];
    return (typeof cell === 'object' ? cell.value : cell) ?? -1e9;
  };
  const compare = (one: string | number, other: string | number): number =>
    Number(one) - Number(other) || String(one).localeCompare(String(other));
  const sign = isAscending ? 1 : -1;
  return rows.toSorted((one, other) => sign * compare(valueOf(one), valueOf(other)));
}
