import { useMemo } from 'preact/hooks';
import { useAccount } from '../account.js';
import { Notice } from '../components/notice.js';
import { Payments } from '../components/payments.js';
import { Tiles } from '../components/tiles.js';
import { compareRestaurants } from '../data/compare.js';
import { BY_RESTAURANT, type Group, readTotals } from '../data/totals.js';
import { addDays, countDays, type DateRange, rangeText } from '../dates.js';
import { Progress, useLoad, useWhenInFront } from '../use-load.js';
import { AlikeNote } from './alike-note.js';
import { HoursCard } from './hours-card.js';
import { RestaurantsCard } from './restaurants-card.js';
import { tilesOf } from './sales-tiles.js';

const REFRESH_MS = 60_000;

interface SalesFiguresProps {
  readonly range: DateRange;
  readonly before: DateRange | undefined;
  /** Empty if the figures are about all restaurants. */
  readonly ids: readonly string[];
}

/** Shows what was sold: tiles, hours, payments and restaurants, for any selection. */
export function SalesFigures({ range, before, ids }: SalesFiguresProps) {
  const { restaurants, today } = useAccount();
  const group: Group = { ids, count: restaurants.length };
  const key = [range.from, range.to, before?.from, before?.to, ids.join()].join(' ');
  const loaded = useLoad(async () => {
    const now = await readTotals(BY_RESTAURANT, range, group);
    return { key, now, before: before && (await readTotals(BY_RESTAURANT, before, group)) };
  }, [key]);
  // Days of this week may still change by themselves.
  useWhenInFront(loaded.reload, range.to >= addDays(today, -7), REFRESH_MS);
  const value = loaded.value?.key === key ? loaded.value : undefined;
  const compared = useMemo(() => value && compareRestaurants(value.now, value.before), [value]);
  return (
    <>
      {loaded.error === undefined && !value ? <p role="status">Loading…</p> : null}
      {loaded.error !== undefined && <Progress of={loaded} />}
      {compared && (
        <>
          {compared.sent === 0 && (
            <Notice>
              Nothing was sent for {rangeText(range)} {countDays(range) === 1 ? 'yet' : ''}.
            </Notice>
          )}
          <Tiles tiles={tilesOf(compared)} />
          <AlikeNote compared={compared} range={range} before={before} />
          <div class="two">
            <HoursCard key={key} range={range} before={before} group={group} at={loaded.at!} />
            <Payments totals={compared.all.totals} />
          </div>
          {compared.rows.length > 1 && (
            <RestaurantsCard compared={compared} range={range} before={before} group={group} />
          )}
        </>
      )}
    </>
  );
}
