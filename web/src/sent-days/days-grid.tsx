import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { CalendarRow } from '../api/shapes.js';
import { Name } from '../components/columns.js';
import { Gap, ROW_HEIGHT } from '../components/table.js';
import { useWindow } from '../components/use-window.js';
import { longDate, monthName, shortDate, shortWeekday } from '../dates.js';
import { dayAddress } from '../route.js';
import { STATES } from './sent-days-data.js';

interface DaysGridProps {
  readonly rows: readonly CalendarRow[];
  readonly days: readonly string[];
}

/** The cell that is in the tab order, as the numbers of its row and its day. */
type Place = readonly [row: number, column: number];

/** Shows restaurants and days as a grid (WAI-ARIA); only the rows that are seen are rendered. */
export function DaysGrid({ rows, days }: DaysGridProps) {
  const seen = useWindow(rows.length, ROW_HEIGHT, 'days');
  const { frame, first, end, onScroll } = seen;
  const labels = useMemo(() => days.map(shortDate), [days]);
  const cellOf = (target: EventTarget | null) => {
    const cell = target instanceof Element ? target.closest('td') : null;
    const row = cell && rows[Number(cell.parentElement!.ariaRowIndex) - 2];
    return row ? { cell, row, column: cell.cellIndex - 1 } : undefined;
  };
  const open = (target: EventTarget | null): void => {
    const { row, column } = cellOf(target) ?? {};
    if (row) location.hash = dayAddress(row.restaurant_id, days[column!]!);
  };
  const explain = (target: EventTarget | null): void => {
    const { cell, row, column = 0 } = cellOf(target) ?? {};
    if (cell) cell.title = titleOf(row!, column, labels[column]!);
  };
  const { place, move } = usePlace(seen, [rows.length, days.length], open);
  useEffect(() => {
    frame.current?.scrollTo({ left: frame.current.scrollWidth });
  }, [days[0], days.at(-1)]);
  return (
    <div ref={frame} class="scroll long" onScroll={onScroll}>
      <table
        class="sent-days"
        role="grid"
        aria-label="Days by restaurant"
        aria-rowcount={rows.length + 1}
        onKeyDown={move}
        onClick={({ target }) => open(target)}
        onPointerOver={({ target }) => explain(target)}
      >
        <Head days={days} />
        <tbody>
          <Gap rows={first} columns={days.length + 1} />
          {rows.slice(first, end).map((each, index) => (
            <GridRow
              key={each.restaurant_id}
              row={each}
              labels={labels}
              number={first + index}
              inTabOrder={place[0] === first + index ? place[1] : undefined}
            />
          ))}
          <Gap rows={rows.length - end} columns={days.length + 1} />
        </tbody>
      </table>
    </div>
  );
}

/** Moves the focus between the cells; rows that are not rendered are scrolled to first. */
function usePlace(
  { frame, first, end }: ReturnType<typeof useWindow>,
  [rows, columns]: Place,
  open: (cell: EventTarget | null) => void,
) {
  const [[row, column], setPlace] = useState<Place>([0, columns - 1]);
  const [moves, setMoves] = useState(0);
  const place: Place = [Math.min(row, rows - 1), Math.min(column, columns - 1)];
  useLayoutEffect(() => {
    if (moves === 0) return;
    const cell = frame.current?.querySelector<HTMLElement>('[tabindex="0"]');
    cell?.focus();
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [moves, first]);
  const move = (event: KeyboardEvent): void => {
    const { target, key, ctrlKey } = event;
    const step = STEPS[key];
    if (key === ' ' || key === 'Enter') open(target);
    else if (step) {
      // With Control, Home and End go to the first and the last row too.
      const isFar = ctrlKey && !Number.isFinite(step[1]);
      const within = (value: number, count: number) => Math.max(0, Math.min(value, count - 1));
      const next = within(place[0] + (isFar ? step[1] : step[0]), rows);
      const isRendered = next >= first && next < end;
      if (frame.current && !isRendered) frame.current.scrollTop = (next - 4) * ROW_HEIGHT;
      setPlace([next, within(place[1] + step[1], columns)]);
      setMoves(moves + 1);
    } else return;
    event.preventDefault();
  };
  return { place, move };
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

function Head({ days }: { days: readonly string[] }) {
  return (
    <thead>
      <tr>
        <th scope="col">Restaurant</th>
        {days.map((date, column) => (
          <th key={date} scope="col" title={longDate(date)}>
            {Number(date.slice(8))}
            <br />
            {column === 0 || date.endsWith('-01') ? monthName(date) : shortWeekday(date)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface GridRowProps {
  readonly row: CalendarRow;
  /** The days in words. */
  readonly labels: readonly string[];
  readonly number: number;
  readonly inTabOrder: number | undefined;
}

function GridRow({ row, labels, number, inTabOrder }: GridRowProps) {
  // While others are filtered or the focus moves, a row that stays the same is not looked at again.
  return useMemo(
    () => (
      <tr aria-rowindex={number + 2}>
        <th scope="row">
          <Name of={row} />
        </th>
        {labels.map((day, column) => {
          const letter = row.days[column] ?? 'F';
          const [label, sign] = STATES[letter] ?? [letter, letter];
          return (
            <td
              key={day}
              class={letter}
              aria-label={`${day} ${label}`}
              tabIndex={column === inTabOrder ? 0 : undefined}
            >
              {sign}
            </td>
          );
        })}
      </tr>
    ),
    [row, labels, number, inTabOrder],
  );
}

/** Writes `Wed 25 Nov 2026: partial, 3 of 11 expected hours missing`. */
function titleOf(row: CalendarRow, column: number, day: string): string {
  const letter = row.days[column] ?? 'F';
  const [label] = STATES[letter] ?? [letter];
  const [missing, expected] = [row.missing_hours[column], row.expected_hours[column]];
  const which = /[PM]/.test(letter) ? `, ${missing} of ${expected} expected hours missing` : '';
  return `${day}: ${label}${which}`;
}

/** Explains the letters that are in the grid. */
export function Legend({ rows }: Pick<DaysGridProps, 'rows'>) {
  const isShown = ([letter]: [string, unknown]) => rows.some(({ days }) => days.includes(letter));
  return (
    <ul class="legend note" aria-label="Signs">
      {Object.entries(STATES)
        .filter(isShown)
        .map(([letter, [label, sign]]) => (
          <li key={letter}>
            <i class={letter} aria-hidden="true">
              {sign}
            </i>{' '}
            {label}
          </li>
        ))}
    </ul>
  );
}
