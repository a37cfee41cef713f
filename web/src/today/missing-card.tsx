import { useMemo, useState } from 'preact/hooks';
import { countText } from '../amounts.js';
import type { CalendarRow } from '../api/shapes.js';
import { Card } from '../components/card.js';
import { usePrinting } from '../components/use-window.js';
import {
  hoursText,
  loadMissingHours,
  type SentDays,
  sinceOf,
  statesOf,
} from '../data/sent-days.js';
import { shortDate } from '../dates.js';
import { dayAddress } from '../route.js';
import { useLoad } from '../use-load.js';

/** So many names are shown at first; a click shows the others, and paper all of them. */
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
  const title = sentence(expected, missing.length, partial.length);
  const lines: Line[] = [
    ...missing
      .toSorted(longestFirst)
      .map((row) => ({ row, kind: 'act' as const, text: sinceText(row, sent, date) })),
    ...partial.map((row) => {
      const some = hours?.get(row.restaurant_id);
      const text = some ? `${hoursText(some)} missing` : 'a part is missing';
      return { row, kind: 'warn' as const, text };
    }),
  ];
  const isComplete = lines.length === 0 && expected > 0;
  return (
    <Card
      label="Missing"
      class={lines.length > 0 ? 'bad' : isComplete ? 'good' : ''}
      title={title}
      note={`yesterday, ${shortDate(date)}`}
      actions={lines.length > 0 && <Actions title={`${shortDate(date)}: ${title}`} lines={lines} />}
    >
      {lines.length > 0 && <Names lines={lines} date={date} />}
    </Card>
  );
}

/** Who never sent comes first, then who has not sent for longest. */
const longestFirst = (one: CalendarRow, other: CalendarRow): number =>
  (one.last_sent ?? '') < (other.last_sent ?? '') ? -1 : 1;

/** A restaurant that has not sent all, and what is missing of it. */
interface Line {
  readonly row: CalendarRow;
  readonly kind: 'act' | 'warn';
  readonly text: string;
}

function Names({ lines, date }: { lines: readonly Line[]; date: string }) {
  const [isWhole, setWhole] = useState(false);
  const isPrinting = usePrinting();
  const shown = isWhole || isPrinting ? lines : lines.slice(0, FIRST_NAMES);
  return (
    <div class="body">
      <ul class="names">
        {shown.map(({ row: { restaurant_id: id, name }, kind, text }) => (
          <li key={id}>
            <a class="cut" href={dayAddress(id, date)} title={name}>
              {name}
            </a>
            <small class="note">{id}</small>
            <span class={`chip ${kind}`}>{text}</span>
          </li>
        ))}
      </ul>
      {shown.length < lines.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {countText(lines.length, 'restaurant')}
        </button>
      )}
    </div>
  );
}

function Actions({ title, lines }: { title: string; lines: readonly Line[] }) {
  const [copied, setCopied] = useState('');
  const copy = async (): Promise<void> => {
    const rows = lines.map(({ row, text }) => [row.restaurant_id, row.name, text].join('\t'));
    setCopied(
      await navigator.clipboard.writeText([title, ...rows].join('\n')).then(
        () => 'Copied.',
        () => 'This browser does not let the page copy.',
      ),
    );
  };
  return (
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
}

/** Writes `4 of 57 restaurants have not sent yesterday, 1 has sent only a part`. */
function sentence(expected: number, missing: number, partial: number): string {
  if (expected === 0) return 'No restaurant was expected to send yesterday';
  if (missing === 0 && partial === 0)
    return expected === 1
      ? 'The restaurant has sent all of yesterday'
      : `All ${countText(expected, 'restaurant')} have sent all of yesterday`;
  const of = `of ${countText(expected, 'restaurant')}`;
  const have = (count: number): string => (count === 1 ? 'has' : 'have');
  const none = `${missing} ${of} ${have(missing)} not sent yesterday`;
  const some = `${partial} ${missing === 0 ? `${of} ` : ''}${have(partial)} sent only a part`;
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
