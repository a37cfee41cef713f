import { useState } from 'preact/hooks';
import {
  MAX_NAMED_RESTAURANTS,
  MAX_UPLOADS_BEFORE,
  REPORT_LIMITS,
} from '../../../src/sales/reports/report-limits.js';
import { useAccount } from '../account.js';
import { countText, differenceText, subtract } from '../amounts.js';
import { read } from '../api/service.js';
import type { ChangesResponse, Correction } from '../api/shapes.js';
import { Card } from '../components/card.js';
import type { Column } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { Search } from '../components/search.js';
import { Table } from '../components/table.js';
import { selectionOf } from '../data/selection.js';
import { hoursText, isFound } from '../data/sent-days.js';
import { type Group, partsOf } from '../data/totals.js';
import { type DateRange, momentText, placeOf, rangeText, shortDate, timeText } from '../dates.js';
import { dayAddress, Heading, useRoute } from '../route.js';
import { SelectionControls } from '../sales/selection-controls.js';
import { Progress, useLoad } from '../use-load.js';

/** Corrections of a request. */
const PAGE = 100;
/** So many corrections are read at first; a click reads older ones. */
const FIRST_CHANGES = 500;

/** Shows what was changed after it was first sent, by whom and from where. */
export function ChangesView() {
  const account = useAccount();
  const { query } = useRoute();
  const selection = selectionOf(query, account, 'changes');
  const { range, ids } = selection;
  return (
    <>
      <Heading text="Changed afterwards">
        Corrections of the days {rangeText(range)}, newest change first · times of{' '}
        {placeOf(account.timeZone)} · amounts in {account.currency}
      </Heading>
      <SelectionControls view="changes" selection={selection} isCompared={false} />
      {!selection.isEmpty && (
        <ChangesCard key={`${range.from} ${range.to} ${ids.join()}`} range={range} ids={ids} />
      )}
    </>
  );
}

/** Reads corrections until there are `wanted`; long ranges are read in parts, newest days first. */
async function loadChanges(
  range: DateRange,
  { ids, count }: Group,
  wanted: number,
  signal: AbortSignal,
) {
  const isNamed = ids.length > 0 && ids.length <= MAX_NAMED_RESTAURANTS;
  const chosen = isNamed ? { restaurant_id: ids.join() } : {};
  const changes: Correction[] = [];
  let isWhole = true;
  for (const part of partsOf(range, count, REPORT_LIMITS.changes).reverse()) {
    let after: string | null = null;
    do {
      const query = { ...part, ...chosen, limit: PAGE, ...(after !== null && { after }) };
      const path = '/api/v1/sales/changes';
      const page: ChangesResponse = await read(path, query, { signal });
      const isWanted = ({ restaurant_id: id }: Correction) => ids.length === 0 || ids.includes(id);
      changes.push(...page.changes.filter(isWanted));
      after = page.next;
    } while (after !== null && changes.length < wanted);
    if (after !== null) isWhole = false;
  }
  const newest = (one: Correction, other: Correction) =>
    one.uploaded_at < other.uploaded_at ? 1 : -1;
  return { isWhole, changes: changes.toSorted(newest) };
}

function ChangesCard({ range, ids }: { range: DateRange; ids: readonly string[] }) {
  const { timeZone, restaurants } = useAccount();
  const group = { ids, count: restaurants.length };
  const [wanted, setWanted] = useState(FIRST_CHANGES);
  const [text, setText] = useState('');
  const loaded = useLoad((signal) => loadChanges(range, group, wanted, signal), [wanted]);
  const columns = columnsOf(timeZone);
  const { changes = [], isWhole = true } = loaded.value ?? {};
  const found = changes.filter((each) => isFound(each, text) || each.username.includes(text));
  const name = `changes-${range.from}-${range.to}`;
  return (
    <Card
      title={loaded.value && countText(found.length, 'change')}
      note={loaded.at !== undefined && noteOf(timeText(loaded.at, timeZone), isWhole)}
      actions={
        <>
          {!isWhole && (
            <button type="button" onClick={() => setWanted(wanted + 2 * FIRST_CHANGES)}>
              Read older ones
            </button>
          )}
          <Search label="Restaurant or user" value={text} search={setText} />
          <ExportButtons name={name} columns={columns} rows={found} />
        </>
      }
    >
      <Progress of={loaded} />
      {loaded.value && (
        <Table
          label="Changes"
          columns={columns}
          rows={found}
          keyOf={({ id }) => id}
          empty={text ? 'Nothing matches.' : `No figures of ${rangeText(range)} were changed.`}
        />
      )}
    </Card>
  );
}

const noteOf = (time: string, isWhole: boolean): string =>
  `as of ${time}${isWhole ? '' : ', the newest ones; there are older ones'}`;

/** Nothing if the turnover before is not known. */
const difference = ({ gto_before: before, gto_after: after }: Correction): string =>
  before ? subtract(after, before) : '';

const columnsOf = (timeZone: string): readonly Column<Correction>[] => [
  {
    label: 'Day',
    kind: 'date',
    value: ({ date }) => date,
    show: ({ restaurant_id: id, date }) => <a href={dayAddress(id, date)}>{shortDate(date)}</a>,
  },
  {
    label: 'Restaurant',
    value: ({ name }) => name,
    show: ({ name, restaurant_id: id }) => (
      <>
        {name} <small class="note">{id}</small>
      </>
    ),
  },
  { label: 'Number', only: 'file', value: ({ restaurant_id: id }) => id },
  { label: 'Changed by', value: ({ username }) => username },
  {
    label: 'When',
    value: ({ uploaded_at: at }) => momentText(at, timeZone),
    sortValue: ({ uploaded_at: at }) => Date.parse(at),
  },
  { label: 'From', value: ({ source }) => source ?? '', show: ({ source }) => source ?? '–' },
  { label: 'Hours', value: ({ hours }) => hoursText(hours) },
  {
    label: 'Turnover before',
    title: `Empty where more than ${countText(MAX_UPLOADS_BEFORE, 'upload')} of the day lie between.`,
    kind: 'amount',
    value: ({ gto_before: before }) => before ?? '',
  },
  { label: 'After', kind: 'amount', value: ({ gto_after: after }) => after },
  {
    label: 'Difference',
    kind: 'amount',
    value: difference,
    show: (change) => change.gto_before && differenceText(difference(change)),
  },
];
