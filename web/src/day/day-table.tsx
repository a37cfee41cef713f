import { useState } from 'preact/hooks';
import { countText } from '../amounts.js';
import type { DayResponse, HourRecord } from '../api/shapes.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { type Column, figureColumn } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { Table } from '../components/table.js';
import { FIELD_NAMES, hourText } from '../fields.js';
import { DayEditor } from './day-editor.js';
import { draftKey, drafts } from './draft.js';

/** Shows every figure of the day as it is stored, and lets figures be corrected. */
export function DayTable({ day, reload }: { day: DayResponse; reload: () => void }) {
  const [isEditing, setEditing] = useState(drafts.has(draftKey(day)));
  const [hasFocus, setFocus] = useState(false);
  const show = (editor: boolean): void => {
    setEditing(editor);
    setFocus(true);
  };
  if (isEditing)
    return <DayEditor {...{ current: day, reload, hasFocus }} close={() => show(false)} />;
  const { records, totals, closed, restaurant_id: id, date } = day;
  const columns = columnsOf(day);
  const isEmpty = records.length === 0;
  return (
    <Card
      key="figures"
      title="Figures"
      note={isEmpty ? 'nothing was sent' : countText(records.length, 'hour')}
      hasFocus={hasFocus}
      actions={
        <>
          <Button isOff={closed !== null} act={() => show(true)}>
            {isEmpty ? 'Enter by hand' : 'Correct by hand'}
          </Button>
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

const columnsOf = (day: DayResponse): Column<HourRecord>[] => [
  { label: 'Hour', value: ({ hour }) => hourText(hour) },
  ...FIELD_NAMES.map((field) => figureColumn<HourRecord>(field, (record) => record)),
  { label: 'Restaurant', only: 'file', value: () => day.restaurant_id },
  { label: 'Date', kind: 'date', only: 'file', value: () => day.date },
];
