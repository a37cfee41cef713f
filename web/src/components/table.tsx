import { useMemo } from 'preact/hooks';
import { useKept } from '../route.js';
import { type Column, type Order, sortRows, textOf } from './columns.js';
import { useWindow } from './use-window.js';

/** The height that styles/tokens.css gives to a row. */
const ROW_HEIGHT = 36;
/** A table with more rows scrolls by itself, below its head. */
const LONG_ROWS = 20;

interface TableProps<Row> {
  readonly label: string;
  /** The first column is the heading of its row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** A last row with sums; the columns of these labels are empty in it. */
  readonly total?: { readonly row: Row; readonly without: readonly string[] };
  /** The label of the column that orders the rows at first; without one they keep their order. */
  readonly orderedBy?: string;
  readonly isAscending?: boolean;
  readonly empty?: string;
}

const decimalsOf = (value = ''): number => value.split('.')[1]?.length ?? 0;

/** Shows rows of figures with aligned decimal points; only the rows that are seen are rendered. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, keyOf, total, orderedBy, isAscending = false, empty } = props;
  const columns = props.columns.filter(({ only }) => only !== 'file');
  const initial = orderedBy === undefined ? null : { column: orderedBy, isAscending };
  const [order, setOrder] = useKept<Order | null>(`order of ${label}`, initial);
  const sorted = useMemo(
    () => (order ? sortRows(rows, columns, order) : rows),
    [rows, order, columns.length],
  );
  const decimals = useMemo(
    () =>
      columns.map(({ kind, value }) =>
        kind === 'amount' ? Math.max(...rows.map((row) => decimalsOf(value(row)))) : 0,
      ),
    [rows, columns.length],
  );
  const { frame, first, end, onScroll } = useWindow(
    sorted.length,
    ROW_HEIGHT,
    label,
    columns.length,
  );
  if (rows.length === 0 && empty) return <p class="empty">{empty}</p>;
  const style = `scroll ${sorted.length > LONG_ROWS ? 'long' : ''}`;
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
        {total && (
          <tfoot>
            <Row {...total} {...{ columns, decimals }} />
          </tfoot>
        )}
      </table>
    </div>
  );
}

interface HeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly order: Order | null;
  readonly setOrder: (order: Order) => void;
}

function Head<Row>({ columns, order, setOrder }: HeadProps<Row>) {
  return (
    <thead>
      <tr>
        {columns.map(({ label, title, kind = 'text', head }) => {
          const isSorted = order?.column === label;
          const direction = order?.isAscending ? 'ascending' : 'descending';
          const isAscending = isSorted ? !order.isAscending : /text|date/.test(kind);
          return (
            <th
              key={label}
              scope="col"
              class={kind}
              aria-sort={isSorted ? direction : undefined}
              aria-label={head === undefined ? head : label}
            >
              {head ?? (
                <button
                  type="button"
                  class="sort"
                  title={title}
                  onClick={() => setOrder({ column: label, isAscending })}
                >
                  {label}
                </button>
              )}
            </th>
          );
        })}
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
  /** The most that an amount of each column has. */
  readonly decimals: readonly number[];
  /** Undefined in the row of the sums. */
  readonly number?: number;
  readonly without?: readonly string[];
}

function Row<Row>({ row, columns, decimals, number, without = [] }: RowProps<Row>) {
  const isTotal = number === undefined;
  return (
    <tr aria-rowindex={isTotal ? undefined : number + 2}>
      {columns.map(({ label, kind = 'text', value: valueOf, show: showRow }, at) => {
        const value = without.includes(label) ? undefined : valueOf(row);
        const show = isTotal ? undefined : showRow;
        const shown = show ? show(row) : textOf(kind, value);
        const Cell = at === 0 ? 'th' : 'td';
        // Zeros that are not seen bring the decimal point below those of the other rows.
        const pad = Math.max(0, decimals[at]! - Math.max(2, decimalsOf(value)));
        const isPadded = kind === 'amount' && !show && value && pad > 0;
        return (
          <Cell
            key={label}
            scope={at === 0 ? 'row' : undefined}
            class={kind}
            data-pad={isPadded ? '0'.repeat(pad) : undefined}
            title={kind === 'text' && !show ? value : undefined}
          >
            {at === 0 && isTotal ? 'Total' : shown}
          </Cell>
        );
      })}
    </tr>
  );
}
