import { useMemo, useState } from 'preact/hooks';
import { countText } from '../amounts.js';
import type { CalendarRow } from '../api/shapes.js';
import { Card } from '../components/card.js';
import {
  hoursText,
  loadMissingHours,
  sinceOf,
  statesOf,
  type SentDays,
} from '../data/sent-days.js';
import { shortDate } from '../dates.js';
import { dayAddress } from '../route.js';
import { useLoad } from '../use-load.js';

/** So many names are shown at first; a click shows the others. */
const FIRST_NAMES = 20;

interface MissingCardProps {
  readonly sent: SentDays;
  readonly date: string;
}

/** Says in words who has not sent a day, since when, and when each of them last sent. */
export function MissingCard({ sent, date }: MissingCardProps) {
  const { expected, missing, partial } = useMemo(() => statesOf(sent, date), [sent, date]);
  const hours = useLoad(
    async () => (partial.length > 0 ? loadMissingHours(date) : undefined),
    [sent],
  ).value;
  const [isWhole, setWhole] = useState(false);
  const [copied, setCopied] = useState('');
  const rows = [...missing, ...partial];
  const textOf = (row: CalendarRow): string => {
    const some = hours?.get(row.restaurant_id);
    if (!missing.includes(row)) return some ? `${hoursText(some)} missing` : 'a part is missing';
    return sinceText(row, sent, date);
  };
  const copy = async (): Promise<void> => {
    const lines = rows.map((row) => `${row.restaurant_id}\t${row.name}\t${textOf(row)}`);
    const text = [
      `${shortDate(date)}: ${sentence(expected, missing.length, partial.length)}`,
      ...lines,
    ];
    setCopied(
      await navigator.clipboard.writeText(text.join('\n')).then(
        () => 'Copied.',
        () => 'This browser does not let the page copy.',
      ),
    );
  };
  const shown = isWhole ? rows : rows.slice(0, FIRST_NAMES);
  const actions = rows.length > 0 && (
    <>
      <span role="status">{copied}</span>
      <button type="button" onClick={() => void copy()}>
        Copy list
      </button>
      <a class="button primary" href="#/upload">
        Upload for them
      </a>
    </>
  );
  return (
    <Card
      label="Missing"
      class={rows.length > 0 ? 'bad' : expected > 0 ? 'good' : ''}
      title={`${sentence(expected, missing.length, partial.length)}`}
      note={`yesterday, ${shortDate(date)}`}
      actions={actions}
    >
      {rows.length > 0 && (
        <div class="body">
          <ul class="names">
            {shown.map((row) => (
              <li key={row.restaurant_id}>
                <a class="cut" href={dayAddress(row.restaurant_id, date)} title={row.name}>
                  {row.name}
                </a>
                <span class={`chip ${missing.includes(row) ? 'act' : 'warn'}`}>{textOf(row)}</span>
              </li>
            ))}
          </ul>
          {shown.length < rows.length && (
            <button type="button" class="quiet" onClick={() => setWhole(true)}>
              Show all {countText(rows.length, 'restaurant')}
            </button>
          )}
        </div>
      )}
    </Card>
  );
}

/** Writes `4 of 57 restaurants have not sent yesterday, 1 has sent a part`. */
function sentence(expected: number, missing: number, partial: number): string {
  if (expected === 0) return 'No restaurant was expected to send yesterday';
  if (missing === 0 && partial === 0)
    return expected === 1
      ? 'The restaurant has sent all of yesterday'
      : `All ${countText(expected, 'restaurant')} have sent all of yesterday`;
  const of = `of ${countText(expected, 'restaurant')}`;
  const have = (count: number): string => (count === 1 ? 'has' : 'have');
  const none = `${missing} ${of} ${have(missing)} not sent yesterday`;
  const some = `${partial} ${missing === 0 ? `${of} ` : ''}${have(partial)} sent a part`;
  if (missing === 0) return `${some} of yesterday`;
  return partial === 0 ? none : `${none}, ${some}`;
}

/** Writes since when a restaurant is missing, and when it last sent. */
function sinceText(row: CalendarRow, sent: SentDays, date: string): string {
  const { last, missing, isLonger } = sinceOf(row, sent, date);
  if (last === null) return `never sent, open since ${shortDate(row.first_day)}`;
  if (last >= date) return 'nothing sent for this day';
  const days = isLonger ? `more than ${countText(missing, 'day')}` : countText(missing, 'day');
  return missing <= 1 && !isLonger
    ? `since yesterday, last ${shortDate(last)}`
    : `${days}, last ${shortDate(last)}`;
}
