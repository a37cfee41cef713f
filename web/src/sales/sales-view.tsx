import { nameOf, useAccount } from '../account.js';
import { countText } from '../amounts.js';
import { selectionOf } from '../data/selection.js';
import { countDays, placeOf, rangeText } from '../dates.js';
import { Heading, useRoute } from '../route.js';
import { DaysCard } from './days-card.js';
import { HeatCard } from './heat-card.js';
import type { Hours } from './hours-card.js';
import { SalesFigures } from './sales-figures.js';
import { SelectionControls } from './selection-controls.js';

/** Shows what was sold in any period by any restaurants, beside an earlier period. */
export function SalesView() {
  const account = useAccount();
  const { timeZone, currency, restaurants } = account;
  const { query } = useRoute();
  const selection = selectionOf(query, account, 'sales');
  const { range, before, ids } = selection;
  const group = { ids, count: restaurants.length };
  const [only] = ids.length === 1 ? ids : [];
  const about =
    ids.length === 0
      ? `all ${countText(restaurants.length, 'restaurant')}`
      : countText(ids.length, 'restaurant');
  const key = [range.from, range.to, before?.from, ids.join()].join(' ');
  const isLong = countDays(range) > 1;
  const more = (hours: Hours) => (
    <>
      <DaysCard key={`days ${key}`} range={range} before={before} group={group} />
      <HeatCard range={range} hours={hours} />
    </>
  );
  return (
    <>
      <Heading text={only === undefined ? 'Sales' : nameOf(account, only)}>
        {rangeText(range)} ({countText(countDays(range), 'day')})
        {before && `, compared with ${rangeText(before)}`} ·{' '}
        {only === undefined ? about : `restaurant ${only}`} · amounts in {currency}, days of{' '}
        {placeOf(timeZone)}
      </Heading>
      <SelectionControls view="sales" selection={selection} />
      {!selection.isEmpty && (
        <SalesFigures range={range} before={before} ids={ids} more={isLong ? more : undefined} />
      )}
    </>
  );
}
