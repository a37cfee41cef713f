import { useMemo, useState } from 'preact/hooks';
import { decimalsOf } from '../amounts.js';
import { sortRows, textOf, type Column, type Order } from './columns.js';
import { useWindow } from './use-window.js';

/** The height that styles.css gives to a row of a long table. */
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
  /** A last row with sums. */
  readonly total?: readonly (string | undefined)[];
  /** The column that orders the rows at first; without one the order of the rows is kept. */
  readonly orderedBy?: number;
  readonly isAscending?: boolean;
  /** What is said instead of an empty table. */
  readonly empty?: string;
  readonly rowClass?: (row: Row) => string;
}

/** Shows rows of figures with aligned decimal points; only the rows that are seen are rendered. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, keyOf, total, orderedBy, isAscending = false, empty, rowClass } = props;
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
  if (rows.length === 0 && empty) return <p class="empty">{empty}</p>;
  return (
    <div
      ref={frame}
      class={`scroll ${sorted.length > LONG_ROWS ? 'long' : ''}`}
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
            <tr key={keyOf(row)} class={rowClass?.(row)} aria-rowindex={first + index + 2}>
              {columns.map((column, at) => (
                <TableCell
                  key={at}
                  column={column}
                  row={row}
                  isHead={at === 0}
                  decimals={decimals[at]!}
                />
              ))}
            </tr>
          ))}
          <Gap rows={sorted.length - end} columns={columns.length} />
        </tbody>
        {total && (
          <tfoot>
            <tr>
              {columns.map(({ kind, label: name }, at) => (
                <TotalCell
                  key={name}
                  kind={kind}
                  value={total[at]}
                  isHead={at === 0}
                  decimals={decimals[at]!}
                />
              ))}
            </tr>
          </tfoot>
        )}
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
  return (
    <thead>
      <tr>
        {columns.map(({ label, title, kind = 'text' }, index) => (
          <th
            scope="col"
            class={kind}
            aria-sort={order?.column === index ? directionOf(order) : undefined}
          >
            <button type="button" class="sort" title={title} onClick={() => sortBy(index)}>
              {label}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

const directionOf = ({ isAscending }: Order) => (isAscending ? 'ascending' : 'descending');

/** Stands for the rows that are not rendered. */
function Gap({ rows, columns }: { rows: number; columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="gap" aria-hidden="true">
      <td colSpan={columns} style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isHead: boolean;
  readonly decimals: number;
}

function TableCell<Row>({ column, row, isHead, decimals }: CellProps<Row>) {
  const { kind = 'text', show } = column;
  const value = column.value(row);
  const shown = show ? show(row) : textOf(kind, value);
  const style = `${kind} ${column.class?.(row) ?? ''}`;
  if (isHead)
    return (
      <th scope="row" class={style} title={kind === 'text' ? value : undefined}>
        {shown}
      </th>
    );
  const pad = show ? undefined : padOf(kind, value, decimals);
  return (
    <td class={style} data-pad={pad} title={kind === 'text' ? value : undefined}>
      {shown}
    </td>
  );
}

interface TotalCellProps {
  readonly kind: Column<unknown>['kind'];
  readonly value: string | undefined;
  readonly isHead: boolean;
  readonly decimals: number;
}

function TotalCell({ kind = 'text', value, isHead, decimals }: TotalCellProps) {
  const isDigits = /^-?\d+(\.\d+)?$/.test(value ?? '');
  const text = isDigits ? textOf(kind, value) : value;
  if (isHead) return <th scope="row">{text}</th>;
  return (
    <td class={kind} data-pad={isDigits ? padOf(kind, value, decimals) : undefined}>
      {text}
    </td>
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
