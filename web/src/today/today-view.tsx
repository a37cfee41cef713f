import { useMemo } from 'preact/hooks';
import { useAccount } from '../account.js';
import { countText } from '../amounts.js';
import type { DaySums } from '../api/shapes.js';
import { Bars } from '../components/bars.js';
import { Card } from '../components/card.js';
import { type Column, figureColumn, nameColumns, sortRows } from '../components/columns.js';
import { Heading } from '../components/heading.js';
import { Table } from '../components/table.js';
import { Change, Facts, Tiles } from '../components/tiles.js';
import { type Compared, type ComparedRestaurant, compareRestaurants } from '../data/compare.js';
import { turnoverChange } from '../data/measures.js';
import { refreshMs } from '../data/periods.js';
import { longDate, placeOf, rangeText, shortDate, shortWeekday } from '../dates.js';
import { dayAddress, salesAddress } from '../route.js';
import { Show, useLoad } from '../use-load.js';
import { MissingCard } from './missing-card.js';
import { loadToday, type Today } from './today-data.js';

const FALLEN = 6;

/** Answers what head office asks in the morning: who has not sent, and what was sold yesterday. */
export function TodayView() {
  const { today, timeZone, currency, count, isWhole } = useAccount();
  const loaded = useLoad(
    (signal) => loadToday(today, isWhole, signal),
    [today, String(isWhole)],
    'today',
    refreshMs({ from: today, to: today }, today),
  );
  return (
    <>
      <Heading text={longDate(today)} title="Today" of={loaded}>
        {countText(count, 'restaurant')} · days end at midnight in {placeOf(timeZone)} · amounts in{' '}
        {currency} · updates automatically
      </Heading>
      <Show of={loaded} height={900}>
        {(all) => (
          <>
            <MissingCard today={all} />
            <Yesterday today={all} />
          </>
        )}
      </Show>
    </>
  );
}

function Yesterday({ today: { yesterday, totals, week } }: { today: Today }) {
  const { known } = useAccount();
  const compared = useMemo(() => compareRestaurants(known, totals, totals.before), [totals]);
  const range = { from: yesterday, to: yesterday };
  return (
    <>
      <div class="heading">
        <div>
          <h2 class="title">Yesterday</h2>
          <p class="sub">
            {shortDate(yesterday)}, compared with {rangeText(totals.before)}
          </p>
        </div>
        <a class="button no-print" href={salesAddress(range)}>
          All of yesterday
        </a>
      </div>
      <Tiles compared={compared} isShort />
      <Facts compared={compared} />
      <div class="two">
        <WeekCard week={week} />
        {compared.rows.length > 1 && <FallenCard compared={compared} />}
      </div>
    </>
  );
}

/** Draws the last seven days beside the seven before. */
function WeekCard({ week }: Pick<Today, 'week'>) {
  const lineOf = ({ date, totals }: DaySums) => {
    return { label: shortDate(date), tick: shortWeekday(date), totals };
  };
  const then = week.before.days.map(lineOf);
  const rows = week.days.map((day, index) => ({ now: lineOf(day), before: then[index] }));
  return (
    <Card
      title="Last 7 days"
      actions={
        <a class="button" href="#/sales?period=last-7">
          Show in Sales
        </a>
      }
    >
      <Bars
        label="Turnover of the last 7 days"
        field="gto"
        {...{ rows, before: week.before }}
        now={week}
      />
    </Card>
  );
}

/** Names the restaurants that fell most, of those that can be compared. */
function FallenCard({ compared: { rows, range } }: { compared: Compared }) {
  const alike = rows.filter(({ unlike }) => unlike === undefined);
  const changeOf = ({ now, before }: ComparedRestaurant) => turnoverChange(now, before);
  const columns: readonly Column<ComparedRestaurant>[] = [
    ...nameColumns<ComparedRestaurant>(
      ({ now }) => now,
      ({ now }) => dayAddress(now.restaurant_id, range.from),
    ),
    figureColumn('gto', ({ now }) => now.totals),
    {
      label: 'Change',
      kind: 'percent',
      value: changeOf,
      show: (row) => <Change percent={changeOf(row)} />,
    },
  ];
  const lowest = sortRows(alike, columns, { column: 'Change', isAscending: true });
  return (
    <Card title="Fell most" note="like for like">
      <Table
        label="Fell most"
        columns={columns}
        rows={lowest.slice(0, FALLEN).filter((row) => Number(changeOf(row) ?? 0) < 0)}
        keyOf={({ now }) => now.restaurant_id}
        empty={alike.length > 0 ? 'None fell.' : 'None can be compared.'}
      />
    </Card>
  );
}
