import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useAccount } from '../account.js';
import { readPages } from '../api/service.js';
import type { CalendarResponse, CalendarRow } from '../api/shapes.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Choices } from '../components/choices.js';
import { type Column, nameColumns } from '../components/columns.js';
import { Heading } from '../components/heading.js';
import { FoundOf, Search } from '../components/search.js';
import { Table } from '../components/table.js';
import { isFound } from '../data/find.js';
import { refreshMs } from '../data/periods.js';
import {
  addDays,
  type DateRange,
  daysOf,
  isDate,
  monthName,
  placeOf,
  rangeText,
  shortDate,
  shortWeekday,
} from '../dates.js';
import { changeQuery, dayAddress, useRoute } from '../route.js';
import { Show, useLoad } from '../use-load.js';

/** Days that the buttons move the table by; it then still shows a week of what it showed before. */
const STEP_DAYS = 28;

/** Shows which restaurant has sent which day; the range and the filter are in the address. */
export function SentDaysView() {
  const { query } = useRoute();
  const { today, timeZone } = useAccount();
  const asked = query.get('to');
  const to = isDate(asked) ? asked : today;
  const range = weeksUntil(to);
  const load = (signal: AbortSignal) => loadSentDays(range, signal);
  const loaded = useLoad(load, [to], 'days', refreshMs(range, today));
  const move = (days: number): void => {
    const next = addDays(to, days);
    changeQuery({ to: next < today ? next : '' });
  };
  return (
    <>
      <Heading
        text="Submissions"
        title={`Submissions, ${rangeText(range)}`}
        of={loaded}
        controls={
          <>
            <Button act={() => move(-STEP_DAYS)}>← Earlier</Button>
            <Button isOff={to >= today} act={() => move(STEP_DAYS)}>
              Later →
            </Button>
          </>
        }
      >
        {rangeText(range)} · days end at midnight in {placeOf(timeZone)}
      </Heading>
      <Show of={loaded} height={800}>
        {(sent) => <DaysCard sent={sent} />}
      </Show>
    </>
  );
}

function DaysCard({ sent }: { sent: SentDays }) {
  const { query } = useRoute();
  const { rows, days, today } = sent;
  const yesterday = addDays(today, -1);
  const date = days.includes(yesterday) ? yesterday : days.at(-1)!;
  const [text, only] = [query.get('name') ?? '', query.get('only') ?? ''];
  const shown = useMemo(() => {
    const at = days.indexOf(date);
    const isIncomplete = (row: CalendarRow): boolean =>
      only === '' || /[MP]/.test(only === 'day' ? row.days.charAt(at) : row.days);
    return rows.filter((row) => isFound(row, text) && isIncomplete(row));
  }, [sent, text, only, date]);
  const columns = useMemo(() => columnsOf(days), [sent]);
  const frame = useRef<HTMLDivElement>(null);
  // On a phone, the latest days are seen first.
  useEffect(() => frame.current?.querySelector('.scroll')?.scrollTo({ left: 9999 }), [days[0]]);
  const incomplete = `Incomplete ${date === yesterday ? 'yesterday' : `on ${shortDate(date)}`}`;
  return (
    <Card
      title="Restaurants"
      note={<FoundOf found={shown.length} all={rows.length} />}
      actions={
        <>
          <Choices
            label="Which restaurants"
            value={only}
            options={[
              ['', 'All'],
              ['day', incomplete],
              ['weeks', 'Incomplete in 5 weeks'],
            ]}
            choose={(value) => changeQuery({ only: value })}
          />
          <Search
            label="Name or number"
            value={text}
            search={(value) => changeQuery({ name: value })}
          />
        </>
      }
    >
      <div class="body">
        <Legend rows={rows} />
      </div>
      <div class="sent-days" ref={frame}>
        <Table
          label="Days by restaurant"
          columns={columns}
          rows={shown}
          keyOf={({ restaurant_id: id }) => id}
          empty="No match."
        />
      </div>
    </Card>
  );
}

/** Makes a column of each day, whose cells lead to the day of the restaurant. */
const columnsOf = (days: readonly string[]): readonly Column<CalendarRow>[] => [
  ...nameColumns<CalendarRow>((row) => row),
  ...days.map((date, at): Column<CalendarRow> => {
    const label = shortDate(date);
    const isNamed = at === 0 || date.endsWith('-01');
    return {
      label,
      head: (
        <>
          {Number(date.slice(8))}
          <br />
          {isNamed ? monthName(date) : shortWeekday(date)}
        </>
      ),
      value: ({ days: states }) => states.charAt(at),
      show: (row) => {
        const letter = row.days.charAt(at) || 'F';
        const [state, sign] = STATES[letter] ?? [letter, letter];
        return (
          <a
            href={dayAddress(row.restaurant_id, date)}
            class={letter}
            aria-label={`${label} ${state}`}
            title={`${label}: ${state}${missingText(row, at)}`}
          >
            {sign}
          </a>
        );
      },
    };
  }),
];

function missingText(row: CalendarRow, at: number): string {
  const [missing, expected] = [row.missing_hours[at], row.expected_hours[at]];
  return missing ? `, ${missing} of ${expected} expected hours missing` : '';
}

function Legend({ rows }: Pick<SentDays, 'rows'>) {
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

/** The state that each letter of the calendar means, with the sign that the page shows for it. */
const STATES: Readonly<Record<string, readonly [label: string, sign: string]>> = {
  C: ['complete', '✓'],
  P: ['partial', '◐'],
  M: ['missing', '✕'],
  X: ['closed', ''],
  T: ['today', '…'],
  F: ['upcoming', ''],
};

const weeksUntil = (to: string): DateRange => ({ from: addDays(to, -34), to });

type SentDays = Awaited<ReturnType<typeof loadSentDays>>;

/** Loads which restaurants have sent which days; those with the most incomplete days come first. */
async function loadSentDays(range: DateRange, signal: AbortSignal) {
  const path = '/api/v1/sales/calendar';
  const options = { signal, parse: JSON.parse };
  const pages = await readPages<CalendarResponse>(path, { ...range }, options);
  const rows = pages.flatMap(({ restaurants }) =>
    restaurants.map(({ restaurant_id: id, ...row }) => ({ ...row, restaurant_id: String(id) })),
  );
  const gaps = new Map(rows.map((row) => [row, row.days.replace(/[^MP]/g, '').length]));
  return {
    days: daysOf(range.from, range.to),
    today: pages[0]!.today,
    rows: rows.sort((one, other) => gaps.get(other)! - gaps.get(one)!),
  };
}
