import { useMemo } from 'preact/hooks';
import { useAccount } from '../account.js';
import { changeOf, changeText, numberText } from '../amounts.js';
import { amountText } from '../amounts.js';
import type { DaySums } from '../api/shapes.js';
import { type Bar, Bars, BarsKey } from '../components/bars.js';
import { Card } from '../components/card.js';
import type { Column } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { Table } from '../components/table.js';
import { Change } from '../components/tiles.js';
import { isWhole } from '../data/compare.js';
import { BY_DATE, type Group, readTotals, sumOf } from '../data/totals.js';
import { type DateRange, dayAndMonth, rangeText, shortDate } from '../dates.js';
import { kindOf, labelOf, PAYMENTS } from '../fields.js';
import { dayAddress, salesAddress } from '../route.js';
import { Progress, useLoad } from '../use-load.js';
import { averageOf } from './sales-tiles.js';

interface DaysCardProps {
  readonly range: DateRange;
  readonly before: DateRange | undefined;
  readonly group: Group;
}

/** A day, and the day of the earlier period that stands at the same place. */
interface DayRow {
  readonly now: DaySums;
  readonly before: DaySums | undefined;
}

/** Draws the turnover of each day beside that of the earlier period, and lists the days. */
export function DaysCard({ range, before, group }: DaysCardProps) {
  const { today } = useAccount();
  const loaded = useLoad(async (signal) => {
    const now = await readTotals(BY_DATE, range, group, signal);
    const then = before && (await readTotals(BY_DATE, before, group, signal));
    return now.map((day, index): DayRow => ({ now: day, before: then?.[index] }));
  }, []);
  const rows = loaded.value;
  const columns = useMemo(() => columnsOf(group, !!before, today), [group, before, today]);
  const total = useMemo(() => rows && totalOf(rows, columns), [rows, columns]);
  return (
    <Card
      title="Days"
      actions={
        rows && (
          <ExportButtons name={`days-${range.from}-${range.to}`} columns={columns} rows={rows} />
        )
      }
    >
      <BarsKey now={rangeText(range)} before={before && rangeText(before)} />
      <Progress of={loaded} />
      {rows && (
        <>
          <Bars label="Turnover by day" bars={barsOf(rows)} />
          <Table
            label="Totals by day"
            columns={columns}
            rows={rows}
            keyOf={({ now }) => now.date}
            orderedBy={0}
            isAscending
            total={total!}
          />
        </>
      )}
    </Card>
  );
}

function barsOf(rows: readonly DayRow[]): Bar[] {
  const step = Math.ceil(rows.length / 14);
  return rows.map(({ now, before }, index) => {
    const was = before && `; ${shortDate(before.date)}: ${amountText(before.totals['gto'] ?? '0')}`;
    return {
      label: shortDate(now.date),
      tick: index % step === 0 ? dayAndMonth(now.date) : '',
      value: now.totals['gto'] ?? '0',
      before: before?.totals['gto'],
      text: amountText(now.totals['gto'] ?? '0') + (was ?? ''),
    };
  });
}

function columnsOf({ ids }: Group, hasBefore: boolean, today: string): readonly Column<DayRow>[] {
  const [only] = ids.length === 1 ? ids : [];
  const address = (date: string): string =>
    only === undefined ? salesAddress({ from: date, to: date }, ids) : dayAddress(only, date);
  return [
    {
      label: 'Day',
      kind: 'date',
      value: ({ now }) => now.date,
      show: ({ now }) => <a href={address(now.date)}>{shortDate(now.date)}</a>,
    },
    figure('gto'),
    ...(hasBefore ? [beforeColumn, beforeDayColumn, changeColumn] : []),
    { label: 'Restaurants', kind: 'count', value: ({ now }) => now.restaurants },
    missingColumn(today),
    figure('orders'),
    { label: 'Average bill', kind: 'amount', value: ({ now }) => averageOf(now.totals, 'orders') },
    ...['pax', 'discount', 'svc', 'gst'].map(figure),
    ...PAYMENTS.map((field): Column<DayRow> => ({ ...figure(field), only: 'file' })),
  ];
}

const figure = (field: string): Column<DayRow> => ({
  label: labelOf(field),
  kind: kindOf(field),
  value: ({ now }) => now.totals[field] ?? '0',
});

const missingColumn = (today: string): Column<DayRow> => ({
  label: 'Hours missing',
  kind: 'count',
  value: ({ now }) => now.missing_hours,
  show: ({ now: { date, missing_hours: missing, expected_hours: expected } }) => {
    const share = `${numberText(missing)} of ${numberText(expected)}`;
    if (Number(missing) === 0) return '0';
    return date < today ? <span class="chip warn">{share}</span> : `${share} not yet`;
  },
});

const beforeColumn: Column<DayRow> = {
  label: 'Before',
  title: 'Turnover of the day at the same place of the earlier period',
  kind: 'amount',
  value: ({ before }) => before?.totals['gto'],
};

const beforeDayColumn: Column<DayRow> = {
  label: 'Day before',
  kind: 'date',
  only: 'file',
  value: ({ before }) => before?.date,
};

/** Undefined where there is nothing to compare. */
const changeIn = ({ now, before }: DayRow): string | undefined =>
  before && Number(now.hours) > 0
    ? changeOf(now.totals['gto'] ?? '0', before.totals['gto'] ?? '0')
    : undefined;

const isAlike = ({ now, before }: DayRow): boolean =>
  !!before && isWhole(now) && isWhole(before) && now.restaurants === before.restaurants;

const changeColumn: Column<DayRow> = {
  label: 'Change',
  title: 'Change of all that was sent; in grey where hours are missing or other restaurants sent',
  kind: 'percent',
  value: (row) => (isAlike(row) ? changeIn(row) : undefined),
  show: (row) => {
    const change = changeIn(row);
    if (change === undefined) return <span class="note">–</span>;
    const text = changeText(change);
    return isAlike(row) ? <Change text={text} /> : <span class="note">{text}</span>;
  },
};

function totalOf(rows: readonly DayRow[], columns: readonly Column<DayRow>[]) {
  const now = { ...sumOf(rows.map((row) => row.now)), date: '', restaurants: '' } as DaySums;
  const shown = columns.filter(({ only }) => only !== 'file');
  return shown.map(({ label, value }, index) => {
    if (index === 0) return 'Total';
    return /^(Before|Change|Restaurants)$/.test(label) ? '' : value({ now, before: undefined });
  });
}
