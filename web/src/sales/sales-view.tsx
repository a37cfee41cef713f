import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { nameOf, useAccount } from '../account.js';
import { countText, numberText } from '../amounts.js';
import { Notice } from '../components/card.js';
import { Heading } from '../components/heading.js';
import { HourChart } from '../components/hour-chart.js';
import { Payments } from '../components/payments.js';
import { SelectionControls } from '../components/selection-controls.js';
import { Facts, Tiles } from '../components/tiles.js';
import { type Compared, compareRestaurants } from '../data/compare.js';
import { PERIODS, refreshMs } from '../data/periods.js';
import { selectionOf } from '../data/selection.js';
import { addDays, countDays, placeOf, rangeText } from '../dates.js';
import { useRoute } from '../route.js';
import { Show, useLoad } from '../use-load.js';
import type { ViewProps } from '../views.js';
import { ExportDialog } from './export-dialog.js';
import { HeatCard } from './heat-card.js';
import { PeriodsCard } from './periods-card.js';
import { RestaurantsCard } from './restaurants-card.js';
import { type By, loadSales, type Sales } from './sales-data.js';

/** Longer periods are shown by week, and still longer ones by month, unless something else is chosen. */
const WEEK_DAYS = 63;
const MONTH_DAYS = 190;

/** Shows what was sold in any period by any restaurants, beside an earlier period. */
export function SalesView({ usual }: Pick<ViewProps, 'usual'>) {
  const account = useAccount();
  const { timeZone, currency, today, count } = account;
  const { query } = useRoute();
  const selection = selectionOf(query, account, usual);
  const { range, before, ids, period, isEmpty } = selection;
  const days = countDays(range);
  const by = byOf(query.get('by'), days);
  const loaded = useLoad(
    isEmpty
      ? undefined
      : (signal) => loadSales({ range, before, ids }, by, ids.length || count, signal),
    [range.from, range.to, before?.from, before?.to, ids.join(), by],
    'sales',
    refreshMs(range, today),
  );
  const [only] = ids.length === 1 ? ids : [];
  const name = only === undefined ? 'Sales' : nameOf(account, only);
  const about =
    only === undefined ? countText(ids.length || count, 'restaurant') : `restaurant ${only}`;
  return (
    <>
      <Heading
        text={name}
        title={`${name}, ${period ? PERIODS[period].toLowerCase() : rangeText(range)}`}
        of={loaded}
        controls={!isEmpty && <ExportDialog selection={selection} />}
      >
        {rangeText(range)} ({countText(days, 'day')})
        {before && `, compared with ${rangeText(before)}`} ·{' '}
        {only === undefined && !ids.length && 'all '}
        {about} · amounts in {currency}, days of {placeOf(timeZone)}
      </Heading>
      <SelectionControls usual={usual} selection={selection} />
      {!isEmpty && (
        <Show of={loaded} height={1800}>
          {(sales) => <SalesFigures sales={sales} ids={ids} />}
        </Show>
      )}
    </>
  );
}

function byOf(asked: string | null, days: number): By {
  if (days === 1) return 'hour';
  if (/^(hour|date|week|month)$/.test(asked ?? '')) return asked as By;
  if (days > MONTH_DAYS) return 'month';
  return days > WEEK_DAYS ? 'week' : 'date';
}

function SalesFigures({ sales, ids }: { sales: Sales; ids: readonly string[] }) {
  const { known, today } = useAccount();
  const { range, now, before, hours } = sales;
  const compared = useMemo(() => compareRestaurants(known, now, before), [sales]);
  const days = countDays(range);
  return (
    <>
      {compared.sent === 0 && (
        <Notice>
          Nothing was sent for {rangeText(range)}
          {days === 1 && range.to >= addDays(today, -1) && ' yet'}.
        </Notice>
      )}
      <Tiles compared={compared} />
      <Facts compared={compared} />
      <div class="two">
        <HoursCard sales={sales} compared={compared} />
        <Payments totals={compared.all.totals} />
      </div>
      <Later>
        <PeriodsCard sales={sales} ids={ids} />
        {compared.rows.length > 1 && <RestaurantsCard compared={compared} />}
        {days > 1 && <HeatCard hours={hours} />}
      </Later>
    </>
  );
}

function HoursCard({ sales, compared }: { sales: Sales; compared: Compared }) {
  const { hours, before, range } = sales;
  const { sent, sentBefore, isOneBase } = compared;
  return (
    <HourChart now={hours} before={before && hours.before}>
      {hours.from !== range.from && (
        <p class="note">The last days alone: of fewer restaurants or days, all hours are shown.</p>
      )}
      {before && !isOneBase && compared.rows.length > 1 && (
        <p class="note">
          All that was sent, by {countText(sent, 'restaurant')} and {numberText(sentBefore)} before:
          not like for like.
        </p>
      )}
    </HourChart>
  );
}

/** Renders its children after what stands before them was drawn, so that the first figures do not wait. */
function Later({ children }: { children: ComponentChildren }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true));
    return () => clearTimeout(timer);
  }, []);
  return isDue ? <>{children}</> : null;
}
