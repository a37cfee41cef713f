import { useMemo, useState } from 'preact/hooks';
import { useAccount } from '../account.js';
import { changeOf, changeText, countText, numberText } from '../amounts.js';
import type { RestaurantSums } from '../api/shapes.js';
import { SmallLine } from '../components/bars.js';
import { Card } from '../components/card.js';
import type { Column } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { Search } from '../components/search.js';
import { Table } from '../components/table.js';
import { Change } from '../components/tiles.js';
import { type Compared, type ComparedRestaurant, hasSent } from '../data/compare.js';
import { isFound } from '../data/sent-days.js';
import { BY_RESTAURANT, type Group, readTotals, sumOf } from '../data/totals.js';
import { addDays, type DateRange, shortDate } from '../dates.js';
import { kindOf, labelOf, PAYMENTS } from '../fields.js';
import { dayAddress, salesAddress } from '../route.js';
import { useLoad } from '../use-load.js';
import { averageOf, rateOf } from './sales-tiles.js';

/** The line of a restaurant shows this many weeks up to the last day of the period. */
const LINE_WEEKS = 6;

type Row = ComparedRestaurant;
type Lines = ReadonlyMap<string, readonly number[]>;

interface RestaurantsCardProps {
  readonly compared: Compared;
  readonly range: DateRange;
  readonly before: DateRange | undefined;
  readonly group: Group;
}

/** Shows who rises and who falls: a row for each restaurant. */
export function RestaurantsCard({ compared, ...of }: RestaurantsCardProps) {
  const [text, setText] = useState('');
  const { rows } = compared;
  const columns = useColumns(of);
  const found = useMemo(() => rows.filter(({ now }) => isFound(now, text)), [rows, text]);
  const total = useMemo(() => totalOf(found, columns), [found, columns]);
  return (
    <Card
      title="Restaurants"
      note={<FoundOf found={found.length} all={rows.length} />}
      actions={
        <>
          <Search label="Name or number" value={text} search={setText} />
          <ExportButtons
            name={`restaurants-${of.range.from}-${of.range.to}`}
            columns={columns}
            rows={found}
          />
        </>
      }
    >
      <Table
        label="Totals by restaurant"
        columns={columns}
        rows={found}
        keyOf={({ now }) => now.restaurant_id}
        orderedBy={1}
        total={total}
        empty={`No restaurant is called “${text}”.`}
      />
    </Card>
  );
}

/** The columns of a period; the small lines come when they have been read. */
function useColumns({ range, before, group }: Omit<RestaurantsCardProps, 'compared'>) {
  const isOver = range.to < useAccount().today;
  const { value: lines } = useLoad(
    (signal) => loadLines(range.to, group, signal),
    [range.to, group.ids.join()],
  );
  return useMemo(() => columnsOf(range, before, lines, isOver), [range, before, lines, isOver]);
}

function FoundOf({ found, all }: { found: number; all: number }) {
  return (
    <span role="status">
      {found < all && `${numberText(found)} of `}
      {countText(all, 'restaurant')}
    </span>
  );
}

/** Reads the turnover of the last weeks, a request a week. */
async function loadLines(to: string, group: Group, signal: AbortSignal): Promise<Lines> {
  const lines = new Map<string, number[]>();
  for (let week = LINE_WEEKS - 1; week >= 0; week--) {
    const last = addDays(to, -7 * week);
    for (const line of await readTotals(
      BY_RESTAURANT,
      { from: addDays(last, -6), to: last },
      group,
      signal,
    )) {
      const values = lines.get(line.restaurant_id) ?? [];
      values.push(Number(line.totals['gto']));
      lines.set(line.restaurant_id, values);
    }
  }
  return lines;
}

function columnsOf(
  range: DateRange,
  before: DateRange | undefined,
  lines: Lines | undefined,
  isOver: boolean,
): readonly Column<Row>[] {
  return [
    nameColumn(range),
    figure('gto'),
    ...(before ? [changeColumn] : []),
    lineColumn(range, lines),
    { label: 'Number', only: 'file', value: ({ now }) => now.restaurant_id },
    ...(before ? [beforeColumn] : []),
    { label: 'Average bill', kind: 'amount', value: ({ now }) => averageOf(now.totals, 'orders') },
    figure('pax'),
    ...RATE_COLUMNS,
    hoursColumn(isOver),
    ...FILE_COLUMNS,
  ];
}

const figure = (field: string): Column<Row> => ({
  label: labelOf(field),
  kind: kindOf(field),
  value: ({ now }) => now.totals[field] ?? '0',
});

const RATE_COLUMNS: readonly Column<Row>[] = [
  { label: 'Discount %', kind: 'percent', value: ({ now }) => rateOf(now.totals, 'discount') },
  { label: 'Service %', kind: 'percent', value: ({ now }) => rateOf(now.totals, 'svc') },
  { label: 'GST %', kind: 'percent', value: ({ now }) => rateOf(now.totals, 'gst') },
];

const FILE_COLUMNS: readonly Column<Row>[] = [
  { label: 'Hours missing', kind: 'count', only: 'file', value: ({ now }) => now.missing_hours },
  { ...figure('orders'), only: 'file' },
  {
    label: 'Average per cover',
    kind: 'amount',
    only: 'file',
    value: ({ now }) => averageOf(now.totals, 'pax'),
  },
  ...(['discount', 'svc', 'gst', ...PAYMENTS] as const).map((field): Column<Row> => ({
    ...figure(field),
    label: `${labelOf(field)} amount`,
    only: 'file',
  })),
];

function nameColumn(range: DateRange): Column<Row> {
  const isDay = range.from === range.to;
  const address = (id: string): string =>
    isDay ? dayAddress(id, range.from) : salesAddress(range, [id]);
  return {
    label: 'Restaurant',
    value: ({ now }) => now.name,
    show: ({ now: { restaurant_id: id, name } }) => (
      <>
        <a href={address(id)}>{name}</a> <small class="note">{id}</small>
      </>
    ),
  };
}

function lineColumn({ to }: DateRange, lines: Lines | undefined): Column<Row> {
  const label = `${LINE_WEEKS} weeks`;
  return {
    label,
    title: `Turnover of the ${label} up to ${shortDate(to)}; sorted by its rise`,
    only: 'screen',
    value: () => undefined,
    sortValue: ({ now }) => riseOf(lines?.get(now.restaurant_id)),
    show: ({ now }) => {
      const values = lines?.get(now.restaurant_id);
      return values && <SmallLine values={values} label={`Turnover of ${label}`} />;
    },
  };
}

const hoursColumn = (isOver: boolean): Column<Row> => ({
  label: 'Hours sent',
  title: 'Hours that were sent, or that are missing; sorted by those that are missing',
  kind: 'count',
  value: ({ now }) => now.hours,
  sortValue: ({ now }) => -Number(now.missing_hours),
  show: ({ now }) => <HoursSent of={now} isOver={isOver} />,
});

/** Undefined where there is nothing to compare. */
const changeIn = ({ now, before }: Row): string | undefined =>
  before && hasSent(now)
    ? changeOf(now.totals['gto'] ?? '0', before.totals['gto'] ?? '0')
    : undefined;

/** A change is shown in grey where hours are missing, or the restaurant was closed, in one of both periods. */
const changeColumn: Column<Row> = {
  label: 'Change',
  title:
    'Change of the turnover; in grey, and sorted last, where hours are missing or the restaurant was closed in one of both periods',
  kind: 'percent',
  value: (row) => (row.unlike ? undefined : changeIn(row)),
  show: (row) => {
    const change = changeIn(row);
    if (change === undefined) return <span class="note">–</span>;
    const text = changeText(change);
    return row.unlike ? (
      <span class="note" title={gapsOf(row)}>
        {text}
      </span>
    ) : (
      <Change text={text} />
    );
  },
};

const gapsOf = ({ now, before, unlike }: Row): string =>
  unlike === 'opening'
    ? `Not alike: closures or its first day leave ${numberText(now.expected_hours)} expected hours, ${numberText(before!.expected_hours)} before`
    : `Not alike: ${numberText(now.missing_hours)} hours are missing, ${numberText(before?.missing_hours ?? 0)} before`;

const beforeColumn: Column<Row> = {
  label: 'Turnover before',
  kind: 'amount',
  only: 'file',
  value: ({ before }) => before?.totals['gto'],
};

function riseOf(values: readonly number[] | undefined): number {
  const [first = 0, last = 0] = [values?.[0], values?.at(-1)];
  return first > 0 ? last / first : NaN;
}

interface HoursSentProps {
  readonly of: RestaurantSums;
  /** Whether the period is over; hours of today may still come. */
  readonly isOver: boolean;
}

/** Says how many hours were sent, and how many of those that were expected are missing. */
function HoursSent({ of, isOver }: HoursSentProps) {
  const { hours, expected_hours: expected, missing_hours: missing, last_sent } = of;
  const share = `${numberText(missing)} of ${numberText(expected)}`;
  if (Number(missing) > 0 && !isOver) return <>{share} not sent yet</>;
  if (Number(missing) > 0)
    return (
      <span
        class="chip warn"
        title={last_sent ? `Last sent for ${shortDate(last_sent)}` : 'Never sent'}
      >
        {share} missing
      </span>
    );
  return <>{Number(hours) === 0 ? 'closed' : `${numberText(hours)} sent`}</>;
}

function totalOf(rows: readonly Row[], columns: readonly Column<Row>[]) {
  const now = { ...sumOf(rows.map((row) => row.now)), name: 'Total' } as RestaurantSums;
  const total: Row = { now, before: undefined, unlike: 'hours' };
  const shown = columns.filter(({ only }) => only !== 'file');
  return shown.map(({ label, value }) => (label === 'Change' ? '' : value(total)));
}
