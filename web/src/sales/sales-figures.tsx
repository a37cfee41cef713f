import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { useAccount } from '../account.js';
import type { HourSums } from '../api/shapes.js';
import { Later } from '../components/later.js';
import { Notice } from '../components/notice.js';
import { Payments } from '../components/payments.js';
import { Tiles } from '../components/tiles.js';
import { type Compared, compareRestaurants } from '../data/compare.js';
import type { Group } from '../data/totals.js';
import { BY_HOUR, BY_RESTAURANT, BY_WEEKDAY_AND_HOUR, readTotals } from '../data/totals.js';
import { addDays, countDays, type DateRange, rangeText } from '../dates.js';
import { Progress, useLoad, useWhenInFront } from '../use-load.js';
import { AlikeNote } from './alike-note.js';
import { type Hours, HoursCard } from './hours-card.js';
import { RestaurantsCard } from './restaurants-card.js';
import { tilesOf } from './sales-tiles.js';

/** Long periods hardly change within a minute, and cost the service more. */
const REFRESH_MS = 60_000;
const SLOW_REFRESH_MS = 600_000;
const SHORT_PERIOD_DAYS = 31;

interface SalesFiguresProps {
  readonly range: DateRange;
  readonly before: DateRange | undefined;
  /** Empty if the figures are about all restaurants. */
  readonly ids: readonly string[];
  /** What follows the figures: it gets the hours by weekday, which are then read by weekday. */
  readonly more?: ((hours: Hours) => ComponentChildren) | undefined;
}

/** Shows what was sold: tiles, hours, payments and restaurants, for any selection. */
export function SalesFigures({ range, before, ids, more }: SalesFiguresProps) {
  const { restaurants, known, today } = useAccount();
  const group: Group = { ids, count: restaurants.length };
  const key = [range.from, range.to, before?.from, before?.to, ids.join()].join(' ');
  const loaded = useLoad(
    async (signal) => {
      const now = await readTotals(BY_RESTAURANT, range, group, signal);
      const then = before && (await readTotals(BY_RESTAURANT, before, group, signal));
      return {
        key,
        now: { range, lines: now },
        before: before && then && { range: before, lines: then },
      };
    },
    [key],
  );
  const isShort = countDays(range) <= SHORT_PERIOD_DAYS;
  // Days of this week may still change by themselves.
  const isFollowed = range.to >= addDays(today, -7);
  useWhenInFront(loaded.refresh, isFollowed, isShort ? REFRESH_MS : SLOW_REFRESH_MS);
  const value = loaded.value?.key === key ? loaded.value : undefined;
  const compared = useMemo(
    () => value && compareRestaurants(known, value.now, value.before),
    [value],
  );
  return (
    <>
      <Progress of={{ ...loaded, value }} />
      {compared && (
        <Figures key={key} at={loaded.at!} {...{ compared, range, before, group, more }} />
      )}
    </>
  );
}

interface FiguresProps extends Omit<SalesFiguresProps, 'ids'> {
  readonly compared: Compared;
  readonly group: Group;
  /** When the figures were read; the hours are read again with them. */
  readonly at: number;
}

function Figures({ compared, range, before, group, at, more }: FiguresProps) {
  const { today } = useAccount();
  const hours = useLoad(
    async (signal) => {
      const now: readonly HourSums[] = more
        ? await readTotals(BY_WEEKDAY_AND_HOUR, range, group, signal)
        : await readTotals(BY_HOUR, range, group, signal);
      return { now, before: before && (await readTotals(BY_HOUR, before, group, signal)) };
    },
    [at],
  );
  return (
    <>
      {compared.sent === 0 && (
        <Notice>
          Nothing was sent for {rangeText(range)}
          {countDays(range) === 1 && range.to >= addDays(today, -1) && ' yet'}.
        </Notice>
      )}
      <Tiles tiles={tilesOf(compared)} />
      <AlikeNote compared={compared} range={range} before={before} at={at} />
      <div class="two">
        <HoursCard hours={hours} range={range} before={before} compared={compared} />
        <Payments totals={compared.all.totals} />
      </div>
      <Later>
        {compared.rows.length > 1 && (
          <RestaurantsCard compared={compared} range={range} before={before} group={group} />
        )}
        {more?.(hours)}
      </Later>
    </>
  );
}
