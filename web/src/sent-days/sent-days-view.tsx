import { useMemo } from 'preact/hooks';
import { useAccount } from '../account.js';
import { Card } from '../components/card.js';
import { Choices } from '../components/choices.js';
import { FoundOf, Search } from '../components/search.js';
import { addDays, isDate, placeOf, rangeText, shortDate, timeText } from '../dates.js';
import { Heading, replaceQuery, useRoute } from '../route.js';
import { Show, useLoad, useWhenInFront } from '../use-load.js';
import { DaysGrid, Legend } from './days-grid.js';
import { filterRows, loadSentDays, type SentDays, weeksUntil } from './sent-days-data.js';

const REFRESH_MS = 60_000;
/** Days that the buttons move the grid by; it then still shows a week of what it showed before. */
const STEP_DAYS = 28;

/** Shows which restaurant has sent which day; the range and the filter are in the address. */
export function SentDaysView() {
  const { query } = useRoute();
  const { today, timeZone } = useAccount();
  const asked = query.get('to');
  const to = isDate(asked) ? asked : today;
  const loaded = useLoad((signal) => loadSentDays(weeksUntil(to), signal), [to], 'days');
  useWhenInFront(loaded.refresh, to >= today, REFRESH_MS);
  const move = (days: number): void => {
    const next = addDays(to, days);
    replaceQuery('days', { ...Object.fromEntries(query), to: next < today ? next : '' });
  };
  return (
    <>
      <Heading
        text="Submissions"
        title={`Submissions, ${rangeText(weeksUntil(to))}`}
        controls={
          <>
            <button type="button" onClick={() => move(-STEP_DAYS)}>
              ← Earlier
            </button>
            <button type="button" disabled={to >= today} onClick={() => move(STEP_DAYS)}>
              Later →
            </button>
          </>
        }
      >
        {rangeText(weeksUntil(to))} · days end at midnight in {placeOf(timeZone)}
        {loaded.at !== undefined && ` · as of ${timeText(loaded.at, timeZone)}`}
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
  const shown = useMemo(() => filterRows(sent, { text, only, date }), [sent, text, only, date]);
  const show = (name: string, value: string): void =>
    replaceQuery('days', { ...Object.fromEntries(query), [name]: value });
  return (
    <Card
      title="Restaurants"
      note={<FoundOf found={shown.length} all={rows.length} />}
      actions={
        <>
          <Choices
            label="Which restaurants"
            value={only as '' | 'day' | 'weeks'}
            options={optionsOf(date, yesterday)}
            choose={(value) => show('only', value)}
          />
          <Search label="Name or number" value={text} search={(value) => show('name', value)} />
        </>
      }
    >
      <div class="body">
        <Legend rows={rows} />
      </div>
      {shown.length > 0 && <DaysGrid rows={shown} days={days} />}
      {shown.length === 0 && <p class="empty">No match.</p>}
    </Card>
  );
}

const optionsOf = (date: string, yesterday: string) =>
  [
    ['', 'All'],
    ['day', date === yesterday ? 'Incomplete yesterday' : `Incomplete on ${shortDate(date)}`],
    ['weeks', 'Incomplete in 5 weeks'],
  ] as const;
