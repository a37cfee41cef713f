import type { JSX } from 'preact';
import { longDate } from '../dates.js';
import { dayAddress } from '../route.js';
import { summarize, type CalendarRow } from './calendar-data.js';

const MAX_NAMES = 12;

interface SummaryProps {
  readonly rows: readonly CalendarRow[];
  readonly days: readonly string[];
}

/** Says in words who is missing. */
export function CalendarSummary({ rows, days }: SummaryProps): JSX.Element {
  const { date, isYesterday, missing, partial, closed } = summarize(rows, days);
  const when = `${isYesterday ? 'Yesterday, ' : ''}${longDate(date)}`;
  const isComplete = missing.length + partial.length === 0;
  return (
    <section class={isComplete ? 'summary' : 'summary incomplete'} aria-label="Summary">
      <p class="headline">
        {when}:{' '}
        {isComplete
          ? `all ${countText(rows.length - closed)} have sent everything.`
          : `${missing.length} of ${countText(rows.length - closed)} missing, ${partial.length} partial.`}
      </p>
      <Names label="Missing" rows={missing} date={date} />
      <Names label="Partial" rows={partial} date={date} />
    </section>
  );
}

interface NamesProps {
  readonly label: string;
  readonly rows: readonly CalendarRow[];
  readonly date: string;
}

function Names({ label, rows, date }: NamesProps): JSX.Element | null {
  if (rows.length === 0) return null;
  return (
    <p>
      {label}:{' '}
      {rows.slice(0, MAX_NAMES).map(({ restaurant_id, name }, index) => (
        <>
          {index > 0 && ', '}
          <a href={dayAddress(restaurant_id, date)}>{name}</a>
        </>
      ))}
      {rows.length > MAX_NAMES && ` and ${rows.length - MAX_NAMES} more`}
    </p>
  );
}

function countText(count: number): string {
  return `${count} ${count === 1 ? 'restaurant' : 'restaurants'}`;
}
