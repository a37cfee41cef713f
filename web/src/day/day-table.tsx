import { useContext, useState } from 'preact/hooks';
import { countText } from '../amounts.js';
import type { HourRecord } from '../api/shapes.js';
import { Card } from '../components/card.js';
import type { Column } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { Table } from '../components/table.js';
import { hourText, kindOf, labelOf } from '../fields.js';
import type { Day, Upload } from './day-data.js';
import { DayEditor } from './day-editor.js';
import { draftKey, DraftsContext } from './drafts.js';

interface DayTableProps {
  readonly day: Day;
  readonly uploads: readonly Upload[];
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
    if (!editor) reload();
  };
  if (isEditing)
    return <DayEditor {...{ current: day, reload, hasFocus }} close={() => show(false)} />;
  return <Figures {...{ day, uploads, hasFocus }} edit={() => show(true)} />;
}

interface FiguresProps {
  readonly day: Day;
  readonly uploads: readonly Upload[];
  /** Whether an editor was closed here. */
  readonly hasFocus: boolean;
  readonly edit: () => void;
}

function Figures({ day, uploads, hasFocus, edit }: FiguresProps) {
  const { records, totals, closed, restaurant_id: id, date } = day;
  const columns = columnsOf(day, correctionsOf(uploads));
  const isEmpty = records.length === 0;
  const actions = (
    <>
      <button type="button" disabled={closed !== null} onClick={edit}>
        {isEmpty ? 'Enter by hand' : 'Correct by hand'}
      </button>
      {!isEmpty && <ExportButtons name={`sales-${id}-${date}`} columns={columns} rows={records} />}
    </>
  );
  const note = isEmpty ? 'nothing was sent' : countText(records.length, 'hour');
  return (
    <Card title="Figures" note={note} actions={actions} hasFocus={hasFocus}>
      {!isEmpty && (
        <Table
          label="Figures by hour"
          columns={columns}
          rows={records}
          keyOf={({ hour }) => hour}
          orderedBy={0}
          isAscending
          total={['Total', ...Object.values(totals)]}
        />
      )}
    </Card>
  );
}

/** How often the figures of an hour were replaced. */
function correctionsOf(uploads: readonly Upload[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { changes } of uploads)
    for (const { hour, before } of changes)
      if (before) counts.set(hour, (counts.get(hour) ?? 0) + 1);
  return counts;
}

function columnsOf(day: Day, corrections: ReadonlyMap<string, number>): Column<HourRecord>[] {
  const key = (label: string, value: string): Column<HourRecord> => ({
    label,
    only: 'file',
    value: () => value,
  });
  return [
    {
      label: 'Hour',
      value: ({ hour }) => hourText(hour),
      show: ({ hour }) => (
        <>
          {hourText(hour)}
          {corrections.has(hour) && (
            <>
              {' '}
              <span class="chip" title="This hour was sent again with other figures; see Uploads">
                corrected
              </span>
            </>
          )}
        </>
      ),
    },
    ...Object.keys(day.totals).map((field): Column<HourRecord> => ({
      label: labelOf(field),
      kind: kindOf(field),
      value: (record) => record[field],
    })),
    { ...key('Restaurant', day.restaurant_id) },
    { ...key('Date', day.date), kind: 'date' },
  ];
}
