import { useAccount } from '../account.js';
import { amountText, countText, percentText, ratio } from '../amounts.js';
import { SmallChart } from '../charts.js';
import { longDate, weekdayName } from '../dates.js';
import { totalsByDay } from '../range/range-data.js';
import { dayAddress, rangeAddress } from '../route.js';
import { Progress, useLoad } from '../use-load.js';
import { loadHours, weeksUntil, type CalendarRow, type DayStates } from './calendar-data.js';

const MAX_NAMES = 12;
const MAX_NAME_LENGTH = 30;

/** Says in words who is missing; in green if restaurants were open and all of them are complete. */
export function MissingSummary({ states }: { states: DayStates }) {
  const { date, isYesterday, open, sent, missing, partial } = states;
  const hasPartial = partial.length > 0;
  const load = async () => (hasPartial ? loadHours(date) : undefined);
  const { value: hours } = useLoad(load, [date, partial]);
  const isIncomplete = missing.length > 0 || hasPartial;
  const isComplete = open > 0 && sent === open && !isIncomplete;
  const restaurants = countText(open, 'restaurant');
  const texts = [
    isIncomplete && `${missing.length} of ${restaurants} missing, ${partial.length} partial`,
    isComplete && `all ${countText(open, 'restaurant has', 'restaurants have')} sent everything`,
    open === 0 && 'no restaurant was open',
    `${sent} of ${restaurants} complete so far`,
  ];
  return (
    <div class={`card ${isIncomplete ? 'bad' : ''} ${isComplete ? 'good' : ''}`}>
      <h2>
        {isYesterday && 'Yesterday, '}
        {longDate(date)}: {texts.find(Boolean)}.
      </h2>
      <Names label="Missing" rows={missing} date={date} />
      <Names label="Partial" rows={partial} date={date} hours={hours} />
    </div>
  );
}

interface NamesProps {
  readonly label: string;
  readonly rows: readonly CalendarRow[];
  readonly date: string;
  readonly hours?: ReadonlyMap<string, number> | undefined;
}

/** Links restaurants to their day, with the hours that they have. */
function Names({ label, rows, date, hours }: NamesProps) {
  if (rows.length === 0) return null;
  const more = rows.length - MAX_NAMES;
  return (
    <p>
      {label}:{' '}
      {rows.slice(0, MAX_NAMES).map(({ restaurant_id: id, name }, index) => (
        <>
          {index > 0 && ', '}
          <a href={dayAddress(id, date)} title={name}>
            {name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name}
          </a>
          {hours?.has(id) && ` (${hours.get(id)!} of 24 hours)`}
        </>
      ))}
      {more > 0 && ` and ${more} more`}
    </p>
  );
}

/** Says in words what was sold, compared with a week before, and draws five weeks as a line. */
export function SalesSummary({ states, before }: { states: DayStates; before: DayStates }) {
  const { restaurants } = useAccount();
  const { date, sent, open } = states;
  const range = weeksUntil(date);
  const load = () => totalsByDay({ ...range, ids: [], count: restaurants.length });
  const loaded = useLoad(load, [date, states]);
  const days = loaded.value;
  if (!days) return <Progress of={loaded} />;
  const on = (day: string): string => days.find((each) => each.date === day)?.totals.gto ?? '0';
  const when = states.isYesterday ? 'yesterday' : `on ${longDate(date)}`;
  if (sent === 0) return <p class="card sold">No sales {when} yet.</p>;
  const weekday = `the ${weekdayName(date)} before`;
  const comparison = comparisonText(on(date), on(before.date), weekday);
  const [gaps, gapsBefore] = [gapsText(states), gapsText(before)];
  return (
    <div class="card sold">
      <div>
        Sold {when}:{' '}
        <a href={rangeAddress({ from: date, to: date })}>
          <b>{amountText(on(date))}</b>
        </a>
        {` by ${sent} of ${countText(open, 'restaurant')}${comparison}. `}
        {comparison && (gaps || gapsBefore) && (
          <p>
            Not like for like: {gaps || 'all complete'}; {weekday}: {gapsBefore || 'all complete'}.
          </p>
        )}
      </div>
      <a class="line" href={rangeAddress(range)} aria-label={`Turnover of ${days.length} days`}>
        <SmallChart values={days.map(({ totals }) => Number(totals.gto))} />
        <small class="note">{days.length} days</small>
      </a>
    </div>
  );
}

/** Writes `, 3.6% below the Sunday before`, or nothing where there is nothing to compare with. */
function comparisonText(now: string, before: string, weekday: string): string {
  const share = ratio(now, before);
  if (share === undefined) return '';
  if (Math.abs(share - 1) < 0.0005) return `, as much as ${weekday}`;
  return `, ${percentText(Math.abs(share - 1))} ${share < 1 ? 'below' : 'above'} ${weekday}`;
}

/** Writes `3 restaurants missing, 1 restaurant partial`. */
function gapsText(states: DayStates): string {
  const gaps = (['missing', 'partial'] as const).filter((gap) => states[gap].length > 0);
  return gaps.map((gap) => `${countText(states[gap].length, 'restaurant')} ${gap}`).join(', ');
}
