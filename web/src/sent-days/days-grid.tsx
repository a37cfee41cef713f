import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { CalendarRow } from '../api/shapes.js';
import { useWindow } from '../components/use-window.js';
import { STATES } from '../data/sent-days.js';
import { longDate, monthName, shortDate, shortWeekday } from '../dates.js';
import { dayAddress } from '../route.js';

/** The height that the styles give to a row. */
const ROW_HEIGHT = 32;

interface DaysGridProps {
  readonly rows: readonly CalendarRow[];
  readonly days: readonly string[];
}

/** The cell that is in the tab order, as the numbers of its row and its day. */
type Place = readonly [row: number, column: number];

/** Shows restaurants and days as a grid (WAI-ARIA); only the rows that are seen are rendered. */
export function DaysGrid({ rows, days }: DaysGridProps) {
  const seen = useWindow(rows.length, ROW_HEIGHT);
  const { frame, first, end, onScroll } = seen;

  const labels = useMemo(() => days.map(shortDate), [days]);
  const { open, explain } = cellsOf(rows, days, labels);
  const { place, move } = usePlace(seen, [rows.length, days.length], open);
  useEffect(() => {
    frame.current?.scrollTo({ left: frame.current.scrollWidth });
  }, [days[0], days.at(-1)]);
  return (
    <div
      ref={frame}
      class="sent-days"
      role="grid"
      aria-label="Days by restaurant"
      aria-rowcount={rows.length + 1}
      onScroll={onScroll}
      onKeyDown={move}
      onClick={({ target }) => open(target)}
      onPointerOver={({ target }) => explain(target)}
    >
      <Head days={days} />
      {first > 0 && <div style={{ height: `${first * ROW_HEIGHT}px` }} />}
      {rows.slice(first, end).map((each, index) => (
        <GridRow
          key={each.restaurant_id}
          row={each}
          days={days}
          labels={labels}
          number={first + index}
          inTabOrder={place[0] === first + index ? place[1] : undefined}
        />
      ))}
      {end < rows.length && <div style={{ height: `${(rows.length - end) * ROW_HEIGHT}px` }} />}
    </div>
  );
}

/** Opens the day of a cell, and says in a tooltip what of it is missing. */
function cellsOf(rows: readonly CalendarRow[], days: readonly string[], labels: readonly string[]) {
  const placeOf = (cell: EventTarget | null) => {
    if (!(cell instanceof HTMLElement) || cell.role !== 'gridcell') return undefined;
    const row = rows[Number(cell.parentElement!.ariaRowIndex) - 2];
    const column = [...cell.parentElement!.children].indexOf(cell) - 1;
    return row && { cell, row, column };
  };
  const open = (target: EventTarget | null): void => {
    const place = placeOf(target);
    if (place) location.hash = dayAddress(place.row.restaurant_id, days[place.column]!);
  };
  const explain = (target: EventTarget | null): void => {
    const place = placeOf(target);
    if (place) place.cell.title = titleOf(place.row, place.column, labels[place.column]!);
  };
  return { open, explain };
}

/** Moves the focus between the cells; rows that are not rendered are scrolled to first. */
function usePlace(
  { frame, first, end }: ReturnType<typeof useWindow>,
  size: Place,
  open: (cell: EventTarget | null) => void,
) {
  const [[row, column], setPlace] = useState<Place>([0, size[1] - 1]);
  const [moves, setMoves] = useState(0);
  const place: Place = [Math.min(row, size[0] - 1), Math.min(column, size[1] - 1)];
  useLayoutEffect(() => {
    if (moves === 0) return;
    const cell = frame.current?.querySelector<HTMLElement>('[tabindex="0"]');
    cell?.focus();
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [moves, first]);
  const move = (event: KeyboardEvent): void => {
    const { target, key, ctrlKey } = event;
    if (key === ' ' || key === 'Enter') open(target);
    else if (STEPS[key]) {
      const next = placeAfter(place, STEPS[key], ctrlKey, size);
      const isRendered = next[0] >= first && next[0] < end;
      if (frame.current && !isRendered) frame.current.scrollTop = (next[0] - 4) * ROW_HEIGHT;
      setPlace(next);
      setMoves(moves + 1);
    } else return;
    event.preventDefault();
  };
  return { place, move };
}

function Head({ days }: { days: readonly string[] }) {
  return (
    <div class="row head" role="row">
      <span class="name" role="columnheader">
        Restaurant
      </span>
      {days.map((date, column) => (
        <span key={date} class="day" role="columnheader" title={longDate(date)}>
          {Number(date.slice(8))}
          <small>
            {column === 0 || date.endsWith('-01') ? monthName(date) : shortWeekday(date)}
          </small>
        </span>
      ))}
    </div>
  );
}

interface GridRowProps {
  readonly row: CalendarRow;
  readonly days: readonly string[];
  /** The days in words. */
  readonly labels: readonly string[];
  readonly number: number;
  readonly inTabOrder: number | undefined;
}

function GridRow({ row, days, labels, number, inTabOrder }: GridRowProps) {
  const { restaurant_id: id, name, days: letters } = row;
  // While others are filtered or the focus moves, a row that stays the same is not looked at again.
  return useMemo(
    () => (
      <div class="row" role="row" aria-rowindex={number + 2}>
        <span class="name" role="rowheader" title={`${name} (${id})`}>
          <span class="cut">{name}</span> <small class="note">{id}</small>
        </span>
        {days.map((date, column) => {
          const letter = letters[column] ?? 'F';
          const [label, sign] = STATES[letter] ?? [letter, letter];
          return (
            <span
              key={date}
              class={`day ${letter}`}
              role="gridcell"
              aria-label={`${labels[column]} ${label}`}
              tabIndex={column === inTabOrder ? 0 : undefined}
            >
              {sign}
            </span>
          );
        })}
      </div>
    ),
    [row, days, number, inTabOrder],
  );
}

/** Writes `Wed 25 Nov 2026: partial, 3 of 11 expected hours missing`. */
function titleOf(row: CalendarRow, column: number, day: string): string {
  const letter = row.days[column] ?? 'F';
  const [label] = STATES[letter] ?? [letter];
  const [missing, expected] = [row.missing_hours[column], row.expected_hours[column]];
  const which = missing ? `, ${missing} of ${expected} expected hours missing` : '';
  return `${day}: ${label}${letter === 'P' || letter === 'M' ? which : ''}`;
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

/** With Control, Home and End go to the first and the last row too. */
function placeAfter(place: Place, step: Place, isFar: boolean, size: Place): Place {
  const rows = isFar && !Number.isFinite(step[1]) ? step[1] : step[0];
  const within = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1));
  return [within(place[0] + rows, size[0]), within(place[1] + step[1], size[1])];
}

/** Explains the letters that are in the grid. */
export function Legend({ rows }: Pick<DaysGridProps, 'rows'>) {
  const isShown = ([letter]: [string, unknown]) => rows.some(({ days }) => days.includes(letter));
  return (
    <ul class="legend" aria-label="Signs">
      {Object.entries(STATES)
        .filter(isShown)
        .map(([letter, [label, sign]]) => (
          <li key={letter}>
            <span class={`day ${letter}`} aria-hidden="true">
              {sign}
            </span>
            {label}
          </li>
        ))}
    </ul>
  );
}
