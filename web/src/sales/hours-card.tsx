import { useState } from 'preact/hooks';
import type { HourSums } from '../api/shapes.js';
import type { Column } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { HourChart } from '../components/hour-chart.js';
import { Table } from '../components/table.js';
import { BY_HOUR, type Group, readTotals } from '../data/totals.js';
import { type DateRange, rangeText } from '../dates.js';
import { hourText } from '../fields.js';
import { Progress, useLoad } from '../use-load.js';

interface HoursCardProps {
  readonly range: DateRange;
  readonly before: DateRange | undefined;
  readonly group: Group;
  /** Hours are read again when the rest of the view is. */
  readonly at: number;
}

interface HourRow {
  readonly hour: string;
  readonly now: HourSums | undefined;
  readonly before: HourSums | undefined;
}

/** Draws which hours of the day are busy, beside those of an earlier period. */
export function HoursCard({ range, before, group, at }: HoursCardProps) {
  const loaded = useLoad(async () => {
    const now = await readTotals(BY_HOUR, range, group);
    return rowsOf(now, before && (await readTotals(BY_HOUR, before, group)));
  }, [at]);
  const { value: rows } = loaded;
  return (
    <HourChart
      now={rangeText(range)}
      before={before && rangeText(before)}
      hours={rows?.map((row) => {
        return { hour: row.hour, now: row.now?.totals, before: row.before?.totals };
      })}
    >
      <Progress of={loaded} />
      {rows && (
        <HourTable rows={rows} hasBefore={!!before} name={`hours-${range.from}-${range.to}`} />
      )}
    </HourChart>
  );
}

function rowsOf(now: readonly HourSums[], before: readonly HourSums[] | undefined): HourRow[] {
  const find = (all: readonly HourSums[] | undefined, hour: string) =>
    all?.find((line) => line.hour === hour);
  return Array.from({ length: 24 }, (_, index) => {
    const hour = String(index);
    return { hour, now: find(now, hour), before: find(before, hour) };
  });
}

const sumAt = (sums: HourSums | undefined, field: string): string => sums?.totals[field] ?? '0';

interface HourTableProps {
  readonly rows: readonly HourRow[];
  readonly hasBefore: boolean;
  readonly name: string;
}

function HourTable({ rows, hasBefore, name }: HourTableProps) {
  const [isOpen, setOpen] = useState(false);
  const columns: Column<HourRow>[] = [
    { label: 'Hour', value: ({ hour }) => hourText(hour) },
    { label: 'Turnover', kind: 'amount', value: ({ now }) => sumAt(now, 'gto') },
    { label: 'Orders', kind: 'count', value: ({ now }) => sumAt(now, 'orders') },
    { label: 'Covers', kind: 'count', value: ({ now }) => sumAt(now, 'pax') },
    { label: 'Hours sent', kind: 'count', value: ({ now }) => now?.hours ?? '0' },
  ];
  if (hasBefore)
    columns.splice(2, 0, {
      label: 'Turnover before',
      kind: 'amount',
      value: ({ before }) => sumAt(before, 'gto'),
    });
  return (
    <details class="body no-print" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <>
          <Table label="Figures by hour" columns={columns} rows={rows} keyOf={({ hour }) => hour} />
          <div class="actions">
            <ExportButtons name={name} columns={columns} rows={rows} />
          </div>
        </>
      )}
    </details>
  );
}
