import { useMemo, useState } from 'preact/hooks';
import { decimalsOf } from '../amounts.js';
import { type Column, type Order, sortRows, textOf } from './columns.js';
import { useWindow } from './use-window.js';

/** The height that styles/table.css gives to a row. */
const ROW_HEIGHT = 36;
/** A table with more rows scrolls by itself, below its head. */
const LONG_ROWS = 30;

interface TableProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string;
  /** The first column is the heading of its row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** A last row with sums, a value for each column that is shown. */
  readonly total?: readonly (string | undefined)[];
  /** The column that orders the rows at first; without one the order of the rows is kept. */
  readonly orderedBy?: number;
  readonly isAscending?: boolean;
  /** What is said instead of an empty table. */
  readonly empty?: string;
}

/** Shows rows of figures with aligned decimal points; only the rows that are seen are rendered. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, keyOf, total, orderedBy, isAscending = false, empty } = props;
  const columns = props.columns.filter(({ only }) => only !== 'file');
  const [order, setOrder] = useState<Order | undefined>(
    orderedBy === undefined ? undefined : { column: orderedBy, isAscending },
  );
  const sorted = useMemo(
    () => (order ? sortRows(rows, columns, order) : rows),
    [rows, order, columns.length],
  );
  const decimals = useMemo(() => columns.map(mostDecimals(rows, total)), [rows, columns.length]);
  const { frame, first, end, onScroll } = useWindow(sorted.length, ROW_HEIGHT);
  const style = `scroll ${sorted.length > LONG_ROWS ? 'long' : ''}`;
  if (rows.length === 0 && empty) return <p class="empty">{empty}</p>;
  return (
    <div
      ref={frame}
      class={style}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={onScroll}
    >
      <table aria-rowcount={sorted.length + 1}>
        <Head columns={columns} order={order} setOrder={setOrder} />
        <tbody>
          <Gap rows={first} columns={columns.length} />
          {sorted.slice(first, end).map((row, index) => (
            <Row key={keyOf(row)} row={row} number={first + index} {...{ columns, decimals }} />
          ))}
          <Gap rows={sorted.length - end} columns={columns.length} />
        </tbody>
        {total && <Total values={total} columns={columns} decimals={decimals} />}
      </table>
    </div>
  );
}

interface HeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly order: Order | undefined;
  readonly setOrder: (order: Order) => void;
}

function Head<Row>({ columns, order, setOrder }: HeadProps<Row>) {
  const sortBy = (column: number): void => {
    const isText = /text|date/.test(columns[column]!.kind ?? 'text');
    const isAgain = order?.column === column;
    setOrder({ column, isAscending: isAgain ? !order.isAscending : isText });
  };
  const directionOf = (column: number) => {
    if (order?.column !== column) return undefined;
    return order.isAscending ? 'ascending' : 'descending';
  };
  return (
    <thead>
      <tr>
        {columns.map(({ label, title, kind = 'text' }, index) => (
          <th key={label} scope="col" class={kind} aria-sort={directionOf(index)}>
            <button type="button" class="sort" title={title} onClick={() => sortBy(index)}>
              {label}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Stands for the rows that are not rendered. */
function Gap({ rows, columns }: { rows: number; columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="gap" aria-hidden="true">
      <td colSpan={columns} style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  );
}

interface RowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly decimals: readonly number[];
  readonly number: number;
}

function Row<Row>({ row, columns, decimals, number }: RowProps<Row>) {
  return (
    <tr aria-rowindex={number + 2}>
      {columns.map((column, at) => {
        const { kind = 'text', show } = column;
        const value = column.value(row);
        const shown = show ? show(row) : textOf(kind, value);
        const style = `${kind} ${column.class?.(row) ?? ''}`;
        const title = kind === 'text' ? value : undefined;
        if (at === 0)
          return (
            <th key={column.label} scope="row" class={style} title={title}>
              {shown}
            </th>
          );
        const pad = show ? undefined : padOf(kind, value, decimals[at]!);
        return (
          <td key={column.label} class={style} data-pad={pad} title={title}>
            {shown}
          </td>
        );
      })}
    </tr>
  );
}

interface SumsProps<Row> {
  readonly values: readonly (string | undefined)[];
  readonly columns: readonly Column<Row>[];
  readonly decimals: readonly number[];
}

function Total<Row>({ values, columns, decimals }: SumsProps<Row>) {
  return (
    <tfoot>
      <tr>
        {columns.map(({ kind = 'text', label }, at) => {
          const value = values[at];
          const isDigits = /^-?\d+(\.\d+)?$/.test(value ?? '');
          const text = isDigits ? textOf(kind, value) : value;
          if (at === 0)
            return (
              <th key={label} scope="row">
                {text}
              </th>
            );
          const pad = isDigits ? padOf(kind, value, decimals[at]!) : undefined;
          return (
            <td key={label} class={kind} data-pad={pad}>
              {text}
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
}

/** Invisible zeros after an amount bring its decimal point below those of the other rows. */
function padOf(kind: string, value: string | undefined, decimals: number): string | undefined {
  if (kind !== 'amount' || !value) return undefined;
  return '0'.repeat(Math.max(decimals - decimalsOf(value), 0)) || undefined;
}

function mostDecimals<Row>(rows: readonly Row[], total: TableProps<Row>['total']) {
  return ({ kind, value, show }: Column<Row>, at: number): number => {
    if (kind !== 'amount' || show) return 0;
    const values = [...rows.map(value), total?.[at]];
    return values.reduce((most, each) => Math.max(most, each ? decimalsOf(each) : 0), 0);
  };
}
