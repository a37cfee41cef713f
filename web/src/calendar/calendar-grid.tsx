import { useEffect, useMemo, useRef } from 'preact/hooks';
import { longDate, monthName, shortWeekday } from '../dates.js';
import { dayAddress } from '../route.js';
import { STATES, type Calendar, type CalendarRow } from './calendar-data.js';

/** Shows restaurants and days as a grid (WAI-ARIA); the browser draws only the rows in view. */
export function CalendarGrid({ rows, days }: Pick<Calendar, 'rows' | 'days'>) {
  const frame = useRef<HTMLDivElement>(null);
  const row = useMemo(() => keptRows(days), [days]);
  useEffect(() => {
    frame.current?.scrollTo({ left: frame.current.scrollWidth });
  }, [days]);
  useEffect(() => {
    if (frame.current?.querySelector('[tabindex="0"]')) return;
    const newest = frame.current?.querySelector('[role=gridcell]:last-child');
    newest?.setAttribute('tabindex', '0');
  }, [rows, days]);
  return (
    <div
      ref={frame}
      class="calendar"
      role="grid"
      aria-label="Days by restaurant"
      onKeyDown={moveByKey}
      onClick={({ target }) => target instanceof HTMLElement && open(target)}
    >
      <div class="row head" role="row">
        <span class="name" role="columnheader">
          Restaurant
        </span>
        {days.map((date, column) => (
          <span key={date} class="day" role="columnheader" title={longDate(date)}>
            {date.slice(8)}
            <small>
              {column === 0 || date.endsWith('-01') ? monthName(date) : shortWeekday(date)}
            </small>
          </span>
        ))}
      </div>
      {rows.map(row)}
    </div>
  );
}

/** Keeps what was made of a row, so that Preact skips a row that did not change. */
function keptRows(days: readonly string[]) {
  const kept = new Map<CalendarRow, ReturnType<typeof rowOf>>();
  return (row: CalendarRow) => {
    if (!kept.has(row)) kept.set(row, rowOf(row, days));
    return kept.get(row)!;
  };
}

function rowOf({ restaurant_id, name, days: letters }: CalendarRow, days: readonly string[]) {
  return (
    <div key={restaurant_id} class="row" role="row">
      <span class="name" role="rowheader" title={`${name} (${restaurant_id})`}>
        {name}
      </span>
      {days.map((date, column) => {
        const letter = letters[column] ?? 'F';
        const [label, sign] = STATES[letter] ?? [letter, letter];
        return (
          <span
            class={`day ${letter}`}
            role="gridcell"
            aria-label={`${date} ${label}`}
            tabIndex={-1}
            data-day={dayAddress(restaurant_id, date)}
          >
            {sign}
          </span>
        );
      })}
    </div>
  );
}

function open(cell: HTMLElement): void {
  if (cell.dataset['day'] !== undefined) location.hash = cell.dataset['day'];
}

/** How many rows and columns a key moves the focus by. */
const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

/** Moves the focus between the cells; the one that had it last is in the tab order. */
function moveByKey(event: KeyboardEvent): void {
  const { target: cell, key, ctrlKey, currentTarget: grid } = event;
  if (!(cell instanceof HTMLElement) || !(grid instanceof HTMLElement)) return;
  if (key === ' ' || key === 'Enter') open(cell);
  else if (STEPS[key] && cell.parentElement) {
    const [rowSteps, columnSteps] = STEPS[key];
    const row = indexAfter(cell.parentElement, ctrlKey ? columnSteps : rowSteps);
    const target = grid.children[row]?.children[indexAfter(cell, columnSteps)];
    grid.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    target?.setAttribute('tabindex', '0');
    if (target instanceof HTMLElement) target.focus();
  } else return;
  event.preventDefault();
}

/** Returns the index `steps` after an element among its siblings; the first is a heading. */
function indexAfter(element: Element, steps: number): number {
  const siblings = [...element.parentElement!.children];
  return Math.max(1, Math.min(siblings.indexOf(element) + steps, siblings.length - 1));
}

/** Explains the letters that are in the grid. */
export function Legend({ rows }: Pick<Calendar, 'rows'>) {
  const isShown = ([letter]: [string, unknown]) => rows.some(({ days }) => days.includes(letter));
  return (
    <ul class="legend" aria-label="Signs">
      {Object.entries(STATES)
        .filter(isShown)
        .map(([letter, [label, sign]]) => (
          <li>
            <span class={`day ${letter}`} aria-hidden="true">
              {sign}
            </span>
            {label}
          </li>
        ))}
    </ul>
  );
}
