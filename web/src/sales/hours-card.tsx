import { useMemo, useState } from 'preact/hooks';
import { countText, numberText } from '../amounts.js';
import type { HourSums, Sums } from '../api/shapes.js';
import type { Column } from '../components/columns.js';
import { ExportButtons } from '../components/export-buttons.js';
import { HourChart } from '../components/hour-chart.js';
import { Table } from '../components/table.js';
import type { Compared } from '../data/compare.js';
import { sumOf } from '../data/totals.js';
import { type DateRange, rangeText } from '../dates.js';
import { HOURS, hourText } from '../fields.js';
import { type Loaded, Progress } from '../use-load.js';
import { isOneBase } from './sales-tiles.js';

/** Lines by hour, or by weekday and hour, of a period and of an earlier one. */
export type Hours = Loaded<{
  readonly now: readonly HourSums[];
  readonly before: readonly HourSums[] | undefined;
}>;

interface HoursCardProps {
  readonly hours: Hours;
  readonly range: DateRange;
  readonly before: DateRange | undefined;
  readonly compared: Compared;
}

interface HourRow {
  readonly hour: string;
  readonly now: Sums;
  readonly before: Sums;
}

/** Draws which hours of the day are busy, beside those of an earlier period. */
export function HoursCard({ hours, range, before, compared }: HoursCardProps) {
  const { value } = hours;
  const { sent, sentBefore } = compared;
  const rows = useMemo(() => value && HOURS.map((hour) => rowOf(hour, value)), [value]);
  return (
    <HourChart
      now={rangeText(range)}
      before={before && rangeText(before)}
      hours={rows?.map((row) => {
        return { hour: row.hour, now: row.now.totals, before: row.before.totals };
      })}
    >
      {before && !isOneBase(compared) && (
        <p class="note">
          All that was sent, by {countText(sent, 'restaurant')} and {numberText(sentBefore)} before:
          not like for like.
        </p>
      )}
      <Progress of={hours} />
      {rows && (
        <HourTable rows={rows} hasBefore={!!before} name={`hours-${range.from}-${range.to}`} />
      )}
    </HourChart>
  );
}

function rowOf(hour: string, { now, before = [] }: NonNullable<Hours['value']>): HourRow {
  const sumAt = (lines: readonly HourSums[]): Sums =>
    sumOf(lines.filter((line) => line.hour === hour));
  return { hour, now: sumAt(now), before: sumAt(before) };
}

const at = ({ totals }: Sums, field: string): string => totals[field] ?? '0';

interface HourTableProps {
  readonly rows: readonly HourRow[];
  readonly hasBefore: boolean;
  readonly name: string;
}

function HourTable({ rows, hasBefore, name }: HourTableProps) {
  const [isOpen, setOpen] = useState(false);
  const columns: Column<HourRow>[] = [
    { label: 'Hour', value: ({ hour }) => hourText(hour) },
    { label: 'Turnover', kind: 'amount', value: ({ now }) => at(now, 'gto') },
    { label: 'Orders', kind: 'count', value: ({ now }) => at(now, 'orders') },
    { label: 'Covers', kind: 'count', value: ({ now }) => at(now, 'pax') },
    { label: 'Hours sent', kind: 'count', value: ({ now }) => now.hours },
  ];
  if (hasBefore)
    columns.splice(2, 0, {
      label: 'Turnover before',
      kind: 'amount',
      value: ({ before }) => at(before, 'gto'),
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
