import { useMemo } from 'preact/hooks';
import { useAccount } from '../account.js';
import { Bars } from '../components/bars.js';
import { Card } from '../components/card.js';
import { Choices } from '../components/choices.js';
import type { Column } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { salesColumns, type SalesRow } from '../components/sales-columns.js';
import { Table } from '../components/table.js';
import { isWhole } from '../data/compare.js';
import { sumOf } from '../data/totals.js';
import { countDays } from '../dates.js';
import { changeQuery, dayAddress, salesAddress } from '../route.js';
import { type By, linesOf, type PeriodLine, type Sales } from './sales-data.js';

const GROUPINGS = [
  ['hour', 'Hours'],
  ['date', 'Days'],
  ['week', 'Weeks'],
  ['month', 'Months'],
] as const;

/** An hour, day, week or month, and that of the earlier period which stands at the same place. */
type PeriodRow = SalesRow<PeriodLine>;

/** Lists the hours, days, weeks or months of a period, from the first day of a restaurant on. */
export function PeriodsCard({ sales, ids }: { sales: Sales; ids: readonly string[] }) {
  const { today, known } = useAccount();
  const { by, range, before, hours } = sales;
  const rows = useMemo(() => {
    const [of, ofBefore] = by === 'hour' ? [hours, hours.before] : [sales.now, before];
    const then = before && ofBefore && linesOf(ofBefore, by);
    const opened = (ids.length > 0 ? ids : [...known.keys()]).map((id) => known.get(id)?.first_day);
    const all = linesOf(of, by).map((line, i): PeriodRow => ({ now: line, before: then?.[i] }));
    const isOpen = ({ now: { to, hours: sent, expected_hours: expected } }: PeriodRow): boolean =>
      Number(sent) + Number(expected) > 0 || opened.some((day = '') => day <= to);
    return all.some(isOpen) ? all.filter(isOpen) : all;
  }, [sales]);
  const columns = useMemo(() => columnsOf(by, ids, !!before, today), [sales, today]);
  const total = useMemo(() => {
    const now = { ...rows[0]!.now, ...sumOf(rows.map((row) => row.now)) };
    return { row: { now, before: undefined }, without: ['Change', 'Restaurants'] };
  }, [rows]);
  const what = by === 'date' ? 'day' : by;
  return (
    <Card
      title={by === 'hour' ? 'Hours' : `Turnover by ${what}`}
      actions={
        <>
          {countDays(range) > 1 && (
            <Choices
              label="Grouped by"
              value={by}
              options={GROUPINGS}
              choose={(chosen) => changeQuery({ by: chosen })}
            />
          )}
          <ExportButtons
            name={`sales-by-${what}-${range.from}-${range.to}`}
            columns={columns}
            rows={rows}
          />
        </>
      }
    >
      {by !== 'hour' && (
        <Bars label={`Turnover by ${what}`} field="gto" {...{ rows, before }} now={range} />
      )}
      <Table
        label={`Totals by ${what}`}
        columns={columns}
        rows={rows}
        keyOf={({ now }) => now.key}
        total={total}
      />
    </Card>
  );
}

function columnsOf(
  by: By,
  ids: readonly string[],
  hasBefore: boolean,
  today: string,
): readonly Column<PeriodRow>[] {
  const [only] = ids.length === 1 ? ids : [];
  const address = ({ from, to }: PeriodLine): string =>
    only === undefined || by !== 'date' ? salesAddress({ from, to }, ids) : dayAddress(only, from);
  const label = { hour: 'Hour', date: 'Day', week: 'Week', month: 'Month' }[by];
  const link = ({ now }: PeriodRow) => <a href={address(now)}>{now.label}</a>;
  return [
    by === 'hour'
      ? { label, value: ({ now }) => now.label }
      : { label, kind: 'date', value: ({ now }) => now.from, show: link },
    { label: 'Last day', kind: 'date', only: 'file', value: ({ now }) => now.to },
    ...salesColumns<PeriodRow>({ hasBefore, unlike, isOver: ({ now }) => now.to < today }),
    ...(by === 'hour' ? [] : [RESTAURANTS]),
  ];
}

const RESTAURANTS: Column<PeriodRow> = {
  label: 'Restaurants',
  kind: 'count',
  value: ({ now }) => now.restaurants,
};

const unlike = ({ now, before }: PeriodRow): string | undefined =>
  before && isWhole(now) && isWhole(before) && now.restaurants === before.restaurants
    ? undefined
    : 'Not alike: hours are missing, or other restaurants sent';
