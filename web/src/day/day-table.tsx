import { useState } from 'preact/hooks';
import { Card } from '../components/card.js';
import type { Column } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { Table } from '../components/table.js';
import { hourText, kindOf, labelOf } from '../fields.js';
import type { HourRecord } from '../api/shapes.js';
import type { Day, Upload } from './day-data.js';
import { DayEditor } from './day-editor.js';

interface DayTableProps {
  readonly day: Day;
  readonly uploads: readonly Upload[];
  readonly reload: () => void;
}

/** Shows every figure of the day as it is stored, and lets figures be corrected. */
export function DayTable({ day, uploads, reload }: DayTableProps) {
  const [isEditing, setEditing] = useState(false);
  if (isEditing)
    return (
      <DayEditor
        current={day}
        reload={reload}
        close={() => {
          setEditing(false);
          reload();
        }}
      />
    );
  const columns = columnsOf(day, correctionsOf(uploads));
  const edit = (
    <button type="button" disabled={day.closed !== null} onClick={() => setEditing(true)}>
      {day.records.length > 0 ? 'Correct by hand' : 'Enter by hand'}
    </button>
  );
  return (
    <Card
      title="Figures"
      note={day.records.length > 0 ? `${day.records.length} hours` : 'nothing was sent'}
      actions={
        <>
          {edit}
          {day.records.length > 0 && (
            <ExportButtons
              name={`sales-${day.restaurant_id}-${day.date}`}
              columns={columns}
              rows={day.records}
            />
          )}
        </>
      }
    >
      {day.records.length > 0 && (
        <Table
          label="Figures by hour"
          columns={columns}
          rows={day.records}
          keyOf={({ hour }) => hour}
          orderedBy={0}
          isAscending
          total={columns
            .filter(({ only }) => only !== 'file')
            .map((_column, at) =>
              at === 0 ? 'Total' : day.totals[Object.keys(day.totals)[at - 1]!],
            )}
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
