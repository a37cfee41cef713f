import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { daysOf, isDate, today } from '../dates.js';
import { Heading } from '../heading.js';
import { replaceQuery } from '../route.js';
import { useLoad } from '../use-load.js';
import { addMonths, filterRows, loadCalendar, rangeUntil, STATES, type Filter } from './calendar-data.js';
import { CalendarGrid } from './calendar-grid.js';
import { CalendarSummary } from './calendar-summary.js';

/** Shows which restaurant has sent which day; the range and the filter are in the address. */
export function CalendarView({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const given = query.get('to') ?? undefined;
  const { from, to } = rangeUntil(isDate(given) ? given : today());
  const filter = { text: query.get('name') ?? '', onlyIncomplete: query.get('only') === 'incomplete' };
  const { value: rows, error, isLoading } = useLoad(() => loadCalendar(from, to), [from, to]);
  const days = useMemo(() => daysOf(from, to), [from, to]);
  const shown = useMemo(() => filterRows(rows ?? [], filter), [rows, filter.text, filter.onlyIncomplete]);
  return (
    <>
      <Heading text="Calendar" />
      {error && <p role="alert">{error}</p>}
      {!rows && isLoading && <p role="status">Loading…</p>}
      {rows && <CalendarSummary rows={rows} days={days} />}
      <CalendarControls to={to} filter={filter} />
      {rows && (
        <p role="status" class="count">
          {shown.length === rows.length
            ? `${rows.length} restaurants`
            : `${shown.length} of ${rows.length} restaurants`}
        </p>
      )}
      {rows && <CalendarGrid rows={shown} days={days} />}
      <Legend />
    </>
  );
}

interface ControlsProps {
  readonly to: string;
  readonly filter: Filter;
}

function CalendarControls({ to, filter: { text, onlyIncomplete } }: ControlsProps): JSX.Element {
  const show = (changes: { to?: string; name?: string; only?: string }): void => {
    const next = { to, name: text, only: onlyIncomplete ? 'incomplete' : '', ...changes };
    replaceQuery('', { ...next, to: next.to === today() ? '' : next.to });
  };
  return (
    <div class="controls no-print">
      <label>
        Restaurant{' '}
        <input type="search" value={text} onInput={({ currentTarget }) => show({ name: currentTarget.value })} />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={onlyIncomplete}
          onChange={({ currentTarget }) => show({ only: currentTarget.checked ? 'incomplete' : '' })}
        />{' '}
        Only incomplete
      </label>
      <button type="button" onClick={() => show({ to: addMonths(to, -1) })}>
        ← Month before
      </button>
      <button type="button" disabled={to >= today()} onClick={() => show({ to: earlier(addMonths(to, 1), today()) })}>
        Month after →
      </button>
    </div>
  );
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

function Legend(): JSX.Element {
  return (
    <ul class="states" aria-label="Signs">
      {Object.entries(STATES).map(([letter, { label, symbol }]) => (
        <li key={letter}>
          <span class={`day ${letter}`} aria-hidden="true">
            {symbol}
          </span>{' '}
          {label}
        </li>
      ))}
    </ul>
  );
}
