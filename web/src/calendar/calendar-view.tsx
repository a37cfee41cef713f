import { useEffect, useMemo } from 'preact/hooks';
import { useAccount } from '../account.js';
import { countText } from '../amounts.js';
import { addDays, isDate, longDate } from '../dates.js';
import { Heading, replaceQuery, useRoute } from '../route.js';
import { Progress, useLoad, useWhenInFront } from '../use-load.js';
import { filterRows, loadCalendar, statesOf, weeksUntil, type Calendar } from './calendar-data.js';
import { CalendarGrid, Legend } from './calendar-grid.js';
import { MissingSummary, SalesSummary } from './summary.js';

const REFRESH_MS = 60_000;
/** Days that the buttons move the grid by; it then still shows a week of what it showed before. */
const STEP_DAYS = 28;

/** Shows which restaurant has sent which day; the range and the filter are in the address. */
export function CalendarView() {
  const { query } = useRoute();
  const { today, timeZone, restaurants, reload } = useAccount();
  const asked = query.get('to');
  const to = isDate(asked) ? asked : today;
  const loaded = useLoad(() => loadCalendar(weeksUntil(to)), [to]);
  useWhenInFront(loaded.reload, to >= today, REFRESH_MS);
  useEffect(() => {
    if (loaded.value && loaded.value.today !== today) reload();
  }, [loaded.value]);
  return (
    <>
      <Heading text="Calendar" />
      <p class="note">
        Today is {longDate(today)}. Days end at midnight in {timeZone}.
      </p>
      <Progress of={loaded} />
      {restaurants.length === 0 && (
        <p>This account has no restaurants yet. An administrator grants them.</p>
      )}
      {restaurants.length > 0 && loaded.value && <CalendarBody calendar={loaded.value} to={to} />}
    </>
  );
}

function CalendarBody({ calendar, to }: { calendar: Calendar; to: string }) {
  const { query } = useRoute();
  const { rows, days, today } = calendar;
  const yesterday = addDays(today, -1);
  const date = days.includes(yesterday) ? yesterday : days.at(-1)!;
  const states = useMemo(() => statesOf(calendar, date), [calendar]);
  const before = useMemo(() => statesOf(calendar, addDays(date, -7)), [calendar]);
  const shown = filterRows(calendar, query.get('name') ?? '', query.get('only') ?? '', date);
  return (
    <>
      <section aria-label="Summary">
        <MissingSummary states={states} />
        <SalesSummary states={states} before={before} />
      </section>
      <div class="controls">
        <Controls to={to} isYesterday={states.isYesterday} />
        <span role="status" class="note">
          {shown.length < rows.length && `${shown.length} of `}
          {countText(rows.length, 'restaurant')}
        </span>
        <Legend rows={rows} />
      </div>
      <CalendarGrid rows={shown} days={days} />
    </>
  );
}

function Controls({ to, isYesterday }: { to: string; isYesterday: boolean }) {
  const { today } = useAccount();
  const query = Object.fromEntries(useRoute().query);
  const show = (name: string, value: string): void => replaceQuery('', { ...query, [name]: value });
  const move = (days: number): void => {
    const next = addDays(to, days);
    show('to', next < today ? next : '');
  };
  return (
    <>
      <label>
        Restaurant
        <input
          type="search"
          value={query['name'] ?? ''}
          onInput={({ currentTarget }) => show('name', currentTarget.value)}
        />
      </label>
      <label>
        Only incomplete
        <select
          value={query['only'] ?? ''}
          onChange={({ currentTarget }) => show('only', currentTarget.value)}
        >
          <option value="">no</option>
          <option value="day">{isYesterday ? 'yesterday' : 'on the last day'}</option>
          <option value="weeks">in five weeks</option>
        </select>
      </label>
      <button type="button" onClick={() => move(-STEP_DAYS)}>
        ← Earlier
      </button>
      <button type="button" disabled={to >= today} onClick={() => move(STEP_DAYS)}>
        Later →
      </button>
    </>
  );
}
