import { useContext, useState } from 'preact/hooks';
import { countText } from '../amounts.js';
import type { DayResponse, DayUpload, HourRecord } from '../api/shapes.js';
import { Card } from '../components/card.js';
import { type Column, figureColumn } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { Table } from '../components/table.js';
import { FIELD_NAMES, hourText } from '../fields.js';
import { DayEditor } from './day-editor.js';
import { draftKey, DraftsContext } from './draft.js';

interface DayTableProps {
  readonly day: DayResponse;
  readonly uploads: readonly DayUpload[];
  readonly reload: () => void;
}

/** Shows every figure of the day as it is stored, and lets figures be corrected. */
export function DayTable({ day, uploads, reload }: DayTableProps) {
  const hasDraft = useContext(DraftsContext).has(draftKey(day));
  const [isEditing, setEditing] = useState(hasDraft);
  const [hasFocus, setFocus] = useState(false);
  const show = (editor: boolean): void => {
    setEditing(editor);
    setFocus(true);
  };
  if (isEditing)
    return <DayEditor {...{ current: day, reload, hasFocus }} close={() => show(false)} />;
  const { records, totals, closed, restaurant_id: id, date } = day;
  const columns = columnsOf(day, correctionsOf(uploads));
  const isEmpty = records.length === 0;
  return (
    <Card
      key="figures"
      title="Figures"
      note={isEmpty ? 'nothing was sent' : countText(records.length, 'hour')}
      hasFocus={hasFocus}
      actions={
        <>
          <button type="button" disabled={closed !== null} onClick={() => show(true)}>
            {isEmpty ? 'Enter by hand' : 'Correct by hand'}
          </button>
          {!isEmpty && (
            <ExportButtons name={`sales-${id}-${date}`} columns={columns} rows={records} />
          )}
        </>
      }
    >
      {!isEmpty && (
        <Table
          label="Figures by hour"
          columns={columns}
          rows={records}
          keyOf={({ hour }) => hour}
          orderedBy="Hour"
          isAscending
          total={{ row: { ...records[0]!, ...totals }, without: [] }}
        />
      )}
    </Card>
  );
}

/** How often the figures of an hour were replaced. */
function correctionsOf(uploads: readonly DayUpload[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { changes } of uploads)
    for (const { hour, before } of changes)
      if (before) counts.set(hour, (counts.get(hour) ?? 0) + 1);
  return counts;
}

const columnsOf = (
  day: DayResponse,
  corrections: ReadonlyMap<string, number>,
): Column<HourRecord>[] => [
  {
    label: 'Hour',
    value: ({ hour }) => hourText(hour),
    show: ({ hour }) => (
      <>
        {hourText(hour)}{' '}
        {corrections.has(hour) && (
          <span class="chip" title="This hour was sent again with other figures; see Uploads">
            corrected
          </span>
        )}
      </>
    ),
  },
  ...FIELD_NAMES.map((field) => figureColumn<HourRecord>(field, (record) => record)),
  { label: 'Restaurant', only: 'file', value: () => day.restaurant_id },
  { label: 'Date', kind: 'date', only: 'file', value: () => day.date },
];
