import { useMemo } from 'preact/hooks';
import { amountText, compactText, divide, numberText } from '../amounts.js';
import type { TotalsResponse, WeekdayHourSums } from '../api/shapes.js';
import { Card } from '../components/card.js';
import type { Column } from '../components/columns.js';
import { Table } from '../components/table.js';
import { rangeText, weekdayOf } from '../dates.js';
import { HOURS } from '../fields.js';

const WEEKDAYS = '1234567'.split('');
/** The strongest colour still leaves the number on it readable. */
const MAX_SHADE = 46;

/** Shows which hours of which weekdays are busy; the stronger the colour, the higher the number. */
export function HeatCard({ hours }: { hours: TotalsResponse }) {
  const columns = useMemo(() => columnsOf(hours.weekday_hours), [hours]);
  return (
    <Card
      title="Weekday and hour"
      note={`average turnover of an hour that a restaurant sent, ${rangeText(hours)}`}
    >
      <div class="heat">
        <Table
          label="Turnover by weekday and hour"
          columns={columns}
          rows={WEEKDAYS}
          keyOf={(weekday) => weekday}
        />
      </div>
    </Card>
  );
}

const averageOf = ({ totals, hours }: WeekdayHourSums): string | undefined =>
  divide(totals.gto, hours);

function columnsOf(lines: readonly WeekdayHourSums[]): Column<string>[] {
  const at = new Map(lines.map((line) => [`${line.weekday} ${line.hour}`, line]));
  const highest = Math.max(1, ...lines.map((line) => Number(averageOf(line) ?? 0)));
  const sold = new Set(lines.filter(({ totals }) => totals.gto !== '0').map(({ hour }) => hour));
  const columns = HOURS.filter((hour) => sold.has(hour)).map((hour): Column<string> => {
    const label = hour.padStart(2, '0');
    const show = (weekday: string) => {
      const line = at.get(`${weekday} ${hour}`);
      const average = line && averageOf(line);
      if (average === undefined) return <span title="nothing was sent" />;
      const text = `turnover ${amountText(line!.totals.gto)} in ${numberText(line!.hours)} hours that were sent, ${amountText(average)} in each`;
      const shade = `${Math.round((Number(average) / highest) * MAX_SHADE)}%`;
      return (
        <span
          title={`${weekdayOf(Number(weekday))} ${label}:00: ${text}`}
          style={{ '--shade': shade }}
        >
          {compactText(Math.round(Number(average)))}
        </span>
      );
    };
    return { label, head: label, value: () => undefined, show };
  });
  return [{ label: 'Hour', head: 'Hour', value: (day) => weekdayOf(Number(day)) }, ...columns];
}
