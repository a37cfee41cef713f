import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { longDate, monthName, weekdayOf } from '../dates.js';
import { dayAddress } from '../route.js';
import { STATES, type CalendarRow } from './calendar-data.js';
import { cellOf, useActiveCell, type Cell } from './active-cell.js';
import { useVisibleRows, ROW_HEIGHT } from './visible-rows.js';

const WEEKDAYS = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'];

interface GridProps {
  readonly rows: readonly CalendarRow[];
  readonly days: readonly string[];
}

/** A grid of restaurants and days (WAI-ARIA grid pattern) that holds only the rows in view. */
export function CalendarGrid({ rows, days }: GridProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const { first, last, show } = useVisibleRows(frame, rows.length);
  const open = ({ row, column }: Cell): void => {
    location.hash = dayAddress(rows[row]!.restaurant_id, days[column]!);
  };
  const { active, onKeyDown } = useActiveCell(frame, { rows: rows.length, columns: days.length }, { show, open });
  useEffect(() => {
    frame.current?.scrollTo({ left: frame.current.scrollWidth });
  }, [days]);
  return (
    <div
      ref={frame}
      class="calendar"
      role="grid"
      aria-label="Days by restaurant"
      aria-rowcount={rows.length + 1}
      aria-colcount={days.length + 1}
      onKeyDown={onKeyDown}
      onClick={({ target }) => openAt(target, open)}
    >
      <Header days={days} />
      <div role="presentation" style={{ height: `${first * ROW_HEIGHT}px` }} />
      {rows.slice(first, last).map((row, index) => (
        <Row key={row.restaurant_id} row={row} index={first + index} days={days} active={active} />
      ))}
      <div role="presentation" style={{ height: `${(rows.length - last) * ROW_HEIGHT}px` }} />
    </div>
  );
}

function openAt(target: EventTarget | null, open: (cell: Cell) => void): void {
  const cell = target instanceof Element ? cellOf(target) : undefined;
  if (cell) open(cell);
}

function Header({ days }: { readonly days: readonly string[] }): JSX.Element {
  return (
    <div class="row head" role="row" aria-rowindex={1}>
      <span class="name" role="columnheader">
        Restaurant
      </span>
      {days.map((date, column) => (
        <span key={date} class={dayClass(date)} role="columnheader" title={longDate(date)}>
          {date.slice(8)}
          <small>{column === 0 || date.endsWith('-01') ? monthName(date) : WEEKDAYS[weekdayOf(date)]}</small>
        </span>
      ))}
    </div>
  );
}

interface RowProps {
  readonly row: CalendarRow;
  readonly index: number;
  readonly days: readonly string[];
  readonly active: Cell;
}

function Row({ row, index, days, active }: RowProps): JSX.Element {
  return (
    <div class="row" role="row" aria-rowindex={index + 2}>
      <span class="name" role="rowheader" title={`${row.name} (${row.restaurant_id})`}>
        {row.name}
      </span>
      {days.map((date, column) => {
        const letter = row.days[column] ?? 'F';
        return (
          <span
            key={date}
            class={`${dayClass(date)} ${letter}`}
            role="gridcell"
            aria-label={`${date} ${STATES[letter]?.label ?? letter}`}
            tabIndex={active.row === index && active.column === column ? 0 : -1}
            data-cell={`${index} ${column}`}
          >
            {STATES[letter]?.symbol ?? letter}
          </span>
        );
      })}
    </div>
  );
}

function dayClass(date: string): string {
  return weekdayOf(date) === 0 || weekdayOf(date) === 6 ? 'day weekend' : 'day';
}
