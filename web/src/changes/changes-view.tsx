import { MAX_UPLOADS_BEFORE } from '../../../src/sales/reports/report-limits.js';
import { useAccount } from '../account.js';
import { countText, subtract } from '../amounts.js';
import { readPages } from '../api/service.js';
import type { ChangesResponse, Correction } from '../api/shapes.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { differenceOf } from '../components/changes-table.js';
import { Choices } from '../components/choices.js';
import { type Column, nameColumns } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { Heading } from '../components/heading.js';
import { Search } from '../components/search.js';
import { SelectionControls } from '../components/selection-controls.js';
import { Table } from '../components/table.js';
import { isFound } from '../data/find.js';
import { type Selection, selectionOf } from '../data/selection.js';
import { type DateRange, momentText, placeOf, rangeText, shortDate } from '../dates.js';
import { figureText, hoursText, labelOf } from '../fields.js';
import { changeQuery, dayAddress, useKept, useRoute } from '../route.js';
import { Show, useLoad } from '../use-load.js';
import type { ViewProps } from '../views.js';

const PAGE = 100;
/** So many corrections are read at first; a click reads older ones. */
const FIRST_CHANGES = 500;

/** What a period is about: when corrections were made, or the days whose sales they corrected. */
const ABOUT = [
  ['', 'When corrected'],
  ['sales', 'Days of sales'],
] as const;

/** Shows what was changed after it was first sent, by whom and from where. */
export function ChangesView({ usual }: Pick<ViewProps, 'usual'>) {
  const account = useAccount();
  const { query } = useRoute();
  // What was corrected a minute ago is shown too.
  const selection = selectionOf(query, account, usual, account.today);
  const { range, ids, isEmpty } = selection;
  const about = query.get('about') === 'sales' ? 'sales' : '';
  const [wanted, setWanted] = useKept('wanted', FIRST_CHANGES);
  const loaded = useLoad(
    isEmpty ? undefined : (signal) => loadChanges({ range, ids }, about, wanted, signal),
    [range.from, range.to, ids.join(), about, wanted],
    'changes',
  );
  const { timeZone, currency } = account;
  return (
    <>
      <Heading text="Corrections" title={`Corrections, ${rangeText(range)}`} of={loaded}>
        {about === '' ? 'Made' : 'Of the days'} {rangeText(range)}, newest first · times of{' '}
        {placeOf(timeZone)} · amounts in {currency}
      </Heading>
      <SelectionControls usual={usual} selection={selection} isCompared={false} />
      {!isEmpty && (
        <Show of={loaded} height={600}>
          {(found) => (
            <ChangesCard
              {...{ ...found, about, range }}
              readOlder={() => setWanted(wanted + 2 * FIRST_CHANGES)}
            />
          )}
        </Show>
      )}
    </>
  );
}

/** Reads corrections, newest first, until there are `wanted`. */
async function loadChanges(
  { range: { from, to }, ids }: Pick<Selection, 'range' | 'ids'>,
  about: '' | 'sales',
  wanted: number,
  signal: AbortSignal,
) {
  const range = about === 'sales' ? { from, to } : { made_from: from, made_to: to };
  const query = { ...range, restaurant_id: ids.join(), limit: PAGE };
  const path = '/api/v1/sales/changes';
  const pages = await readPages<ChangesResponse>(path, query, { signal }, wanted / PAGE);
  return { changes: pages.flatMap(({ changes }) => changes), isAll: pages.at(-1)!.next === null };
}

interface ChangesCardProps extends Awaited<ReturnType<typeof loadChanges>> {
  readonly range: DateRange;
  readonly about: '' | 'sales';
  readonly readOlder: () => void;
}

function ChangesCard({ changes, isAll, about, range, readOlder }: ChangesCardProps) {
  const { timeZone } = useAccount();
  const [text, setText] = useKept('filter', '');
  const found = changes.filter((each) => isFound(each, text) || each.username.includes(text));
  const columns = columnsOf(timeZone);
  return (
    <Card
      title={countText(found.length, 'correction')}
      note={!isAll && 'the newest ones; there are older ones'}
      actions={
        <>
          {!isAll && <Button act={readOlder}>Read older ones</Button>}
          <Choices
            label="The period is about"
            value={about}
            options={ABOUT}
            choose={(value) => changeQuery({ about: value })}
          />
          <Search label="Restaurant or user" value={text} search={setText} />
          <ExportButtons
            name={`corrections-${range.from}-${range.to}`}
            columns={columns}
            rows={found}
          />
        </>
      }
    >
      <Table
        label="Corrections"
        columns={columns}
        rows={found}
        keyOf={({ id }) => id}
        empty={text ? 'No match.' : 'Nothing was corrected.'}
      />
    </Card>
  );
}

/** Writes `Covers 96 → 98`, a line for each figure. */
const figuresText = ({ fields }: Correction): string[] =>
  fields.map(({ name, before, after }) => {
    const was = before === null ? '' : `${figureText(name, before)} → `;
    return `${labelOf(name)} ${was}${figureText(name, after)}`;
  });

/** Nothing if the turnover before is not known. */
const difference = ({ gto_before: before, gto_after: after }: Correction): string =>
  before === null ? '' : subtract(after, before);

const columnsOf = (timeZone: string): readonly Column<Correction>[] => [
  {
    label: 'Day',
    kind: 'date',
    value: ({ date }) => date,
    show: ({ restaurant_id: id, date }) => <a href={dayAddress(id, date)}>{shortDate(date)}</a>,
  },
  ...nameColumns<Correction>((correction) => correction),
  { label: 'Hours', value: ({ hours }) => hoursText(hours) },
  {
    label: 'What changed',
    value: (correction) => figuresText(correction).join(', '),
    show: (correction) => <span class="cut">{figuresText(correction).join(', ')}</span>,
  },
  {
    label: 'Turnover',
    title: `Change of the turnover; empty where more than ${countText(MAX_UPLOADS_BEFORE, 'upload')} of the day lie between`,
    kind: 'amount',
    value: difference,
    show: ({ gto_before: before, gto_after: after }) =>
      before !== null && differenceOf('gto', before, after),
  },
  { label: 'Changed by', value: ({ username }) => username },
  {
    label: 'When',
    value: ({ uploaded_at: at }) => momentText(at, timeZone),
    sortValue: ({ uploaded_at: at }) => Date.parse(at),
  },
  { label: 'From', value: ({ source }) => source ?? '' },
  {
    label: 'Turnover before',
    kind: 'amount',
    only: 'file',
    value: ({ gto_before: of }) => of ?? '',
  },
  { label: 'Turnover after', kind: 'amount', only: 'file', value: ({ gto_after: of }) => of },
];
