import { REPORT_LIMITS } from '../../../src/sales/reports/report-limits.js';
import { countText } from '../amounts.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { type Column, nameColumns, sortRows } from '../components/columns.js';
import { Table } from '../components/table.js';
import { usePrinting } from '../components/use-window.js';
import { addDays, shortDate } from '../dates.js';
import { copied } from '../export/csv.js';
import { dayAddress, useKept } from '../route.js';
import type { Gap, Today } from './today-data.js';

/** How many days the service looks back for the first that is missing. */
const LOOKED_BACK = REPORT_LIMITS.missing.days;
/** So many restaurants are shown at first; a click shows the others, and paper all of them. */
const FIRST_ROWS = 20;

/** Says who has not sent yesterday, since when, when each of them last sent, and what is missing. */
export function MissingCard({ today: { gaps, expected, yesterday } }: { today: Today }) {
  const [isWhole, setWhole] = useKept('all gaps', false);
  const isPrinting = usePrinting();
  const columns = columnsOf(yesterday);
  const sorted = sortRows(gaps, columns, { column: 'Days', isAscending: false });
  const shown = isWhole || isPrinting ? sorted : sorted.slice(0, FIRST_ROWS);
  const title = sentence(gaps, expected);
  const list = sorted.map((gap) => [gap.restaurant_id, gap.name, gap.since, gap.text].join('\t'));
  const text = [`${shortDate(yesterday)}: ${title}`, ...list].join('\n');
  return (
    <Card
      label="Missing"
      class={gaps.length > 0 ? 'bad' : expected > 0 ? 'good' : ''}
      title={title}
      note={shortDate(yesterday)}
      actions={
        gaps.length > 0 && (
          <>
            <Button act={() => copied(text)}>Copy list</Button>
            <a class="button primary" href="#/upload">
              Upload for them
            </a>
          </>
        )
      }
    >
      {gaps.length > 0 && (
        <Table
          label="Missing yesterday"
          columns={columns}
          rows={shown}
          keyOf={({ restaurant_id: id }) => id}
        />
      )}
      {shown.length < gaps.length && (
        <Button class="quiet" act={() => setWhole(true)}>
          Show all {countText(gaps.length, 'restaurant')}
        </Button>
      )}
    </Card>
  );
}

const columnsOf = (yesterday: string): readonly Column<Gap>[] => [
  ...nameColumns<Gap>(
    (gap) => gap,
    ({ restaurant_id: id }) => dayAddress(id, yesterday),
  ),
  {
    label: 'Missing',
    value: ({ text }) => text,
    show: ({ status, text }) => (
      <span class={`chip ${status === 'missing' ? 'act' : 'warn'}`}>{text}</span>
    ),
  },
  {
    label: 'Since',
    kind: 'date',
    value: ({ since }) => since,
    show: ({ since }) =>
      `${since <= addDays(yesterday, -LOOKED_BACK) ? 'before ' : ''}${shortDate(since)}`,
  },
  { label: 'Days', kind: 'count', value: ({ missing_days: days }) => days },
  {
    label: 'Last sent',
    kind: 'date',
    value: ({ last_sent: last }) => last ?? '',
    show: ({ last_sent: last }) => (last === null ? 'never' : shortDate(last)),
  },
];

/** Writes `4 of 57 restaurants have not sent yesterday, 1 has sent only a part`. */
function sentence(gaps: readonly Gap[], expected: number): string {
  const count = (of: Gap['status']): number => gaps.filter(({ status }) => status === of).length;
  const [missing, partial, zeros] = [count('missing'), count('partial'), count('zeros')];
  if (expected === 0) return 'No restaurant was expected to send yesterday';
  if (gaps.length === 0)
    return expected === 1
      ? 'The restaurant has sent all of yesterday'
      : `All ${countText(expected, 'restaurant')} have sent all of yesterday`;
  const have = (of: number): string => (of === 1 ? 'has' : 'have');
  const parts = [
    [missing, 'not sent yesterday'],
    [partial, 'sent only a part'],
    [zeros, 'sent, but sold nothing'],
  ] as const;
  return parts
    .filter(([of]) => of > 0)
    .map(([of, what], index) => {
      const restaurants = index === 0 ? ` of ${countText(expected, 'restaurant')}` : '';
      return `${of}${restaurants} ${have(of)} ${what}`;
    })
    .join(', ');
}
