import { averageOf, changeOf, numberText } from '../amounts.js';
import { downloadCsv, toCsv } from '../csv.js';
import { DataTable, type Cell } from '../data-table.js';
import { columnOf, type Figures } from '../fields.js';
import { compare, sumOf, type Compared } from './range-data.js';

const OTHERS = ['orders', 'gst', 'svc', 'discount'] as const;

export interface Line extends Compared {
  /** The first cells of its row in CSV; the table sorts its heading by the last one. */
  readonly keys: readonly string[];
  readonly text: string;
  readonly address: string;
}

interface RangeTableProps {
  readonly by: 'restaurant' | 'day';
  readonly lines: readonly Line[];
  /** Name of the file that is downloaded. */
  readonly file: string;
  /** Name of the earlier time that the changes compare with. */
  readonly against: string;
}

/** Compares restaurants, or days, with their turnover before. */
export function RangeTable({ by, lines, file, against }: RangeTableProps) {
  const total = cellsOf(sumOfLines(lines), 'Total');
  if (by === 'day') total[2] = ''; // the range as a whole is compared with other weeks
  return (
    <section>
      <h2>
        By {by} <small class="note">change: turnover against {against}</small>
      </h2>
      <DataTable
        label={`Totals by ${by}`}
        orderedBy={by === 'day' ? 0 : 1}
        columns={[
          { label: by === 'day' ? 'Day' : 'Restaurant' },
          columnOf('gto'),
          { label: 'Change' },
          columnOf('pax'),
          { label: 'Average per cover', kind: 'amount' },
          { label: 'Hours' },
          ...OTHERS.map(columnOf),
        ]}
        rows={lines.map((line) => {
          const shown = <a href={line.address}>{line.text}</a>;
          return cellsOf(line, { shown, value: line.keys.at(-1) });
        })}
        total={total}
      />
      <p class="no-print">
        <button type="button" onClick={() => downloadCsv(`${file}-by-${by}.csv`, csvOf(by, lines))}>
          Download CSV by {by}
        </button>
      </p>
    </section>
  );
}

function cellsOf({ now, before, expected, sentShare }: Compared, heading: Cell): Cell[] {
  const missing = expected - Number(now.hours);
  const hours = `${numberText(now.hours)} of ${numberText(expected)}`;
  return [
    heading,
    now.totals.gto,
    changeOf(now.totals.gto, before.totals.gto, sentShare),
    now.totals.pax,
    averageOf(now.totals),
    { shown: hours, value: -missing, class: missing > 0 ? 'missing' : '' },
    ...OTHERS.map((field) => now.totals[field]),
  ];
}

export function sumOfLines(lines: readonly Line[]): Compared {
  const total = (count: (line: Line) => number): number =>
    lines.reduce((sum, line) => sum + count(line), 0);
  return compare(
    sumOf(lines.map(({ now }) => now)),
    sumOf(lines.map(({ before }) => before)),
    total(({ expected }) => expected),
    total(({ expectedBefore }) => expectedBefore),
  );
}

/** Writes every figure as the service sent it. */
function csvOf(by: string, lines: readonly Line[]): string {
  const keys = by === 'day' ? ['date'] : ['restaurant_id', 'name'];
  const fields = Object.keys(lines[0]?.now.totals ?? {});
  const rows = lines.map((line) => {
    const figures: Figures = line.now.totals;
    return [...line.keys, line.now.hours, ...fields.map((field) => figures[field])];
  });
  return toCsv([[...keys, 'hours', ...fields], ...rows]);
}
