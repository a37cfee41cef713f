import { useMemo } from 'preact/hooks';
import { HOURS } from '../../../src/calendar/hour-set.js';
import { amountText, compactText, divide, numberText } from '../amounts.js';
import type { TotalsResponse, WeekdayHourSums } from '../api/shapes.js';
import { Card } from '../components/card.js';
import { rangeText, weekdayOf } from '../dates.js';
import { hourText } from '../fields.js';

/** Shows which hours of which weekdays are busy. */
export function HeatCard({ hours }: { hours: TotalsResponse }) {
  const cells = useMemo(() => hours.weekday_hours.map(cellOf), [hours]);
  return (
    <Card
      title="Weekday and hour"
      note={`average turnover of an hour that a restaurant sent, ${rangeText(hours)}`}
    >
      <HeatMap label="Turnover by weekday and hour" cells={cells} />
    </Card>
  );
}

function cellOf({ weekday, hour, hours, totals }: WeekdayHourSums): HeatCell {
  const average = divide(totals.gto, hours);
  const when = `${weekdayOf(Number(weekday))} ${hourText(hour)}`;
  const text =
    average === undefined
      ? 'nothing was sent'
      : `turnover ${amountText(totals.gto)} in ${numberText(hours)} hours that were sent, ${amountText(average)} in each`;
  return {
    weekday: Number(weekday),
    hour: Number(hour),
    value: average === undefined ? undefined : Number(average),
    text: `${when}: ${text}`,
  };
}

export interface HeatCell {
  readonly weekday: number;
  readonly hour: number;
  readonly value: number | undefined;
  readonly text: string;
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
/** The strongest colour still leaves the number on it readable. */
const MAX_SHADE = 46;

/** Shows weekdays by hours as a table; the stronger the colour, the higher is the number on it. */
export function HeatMap({ label, cells }: { label: string; cells: readonly HeatCell[] }) {
  const highest = Math.max(1, ...cells.map(({ value = 0 }) => value));
  const at = new Map(cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="heat">
        <thead>
          <tr>
            <th scope="col">Hour</th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {String(hour).padStart(2, '0')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((weekday) => (
            <tr key={weekday}>
              <th scope="row">{weekdayOf(weekday)}</th>
              {HOURS.map((hour) => {
                const { value, text = 'nothing was sent' } = at.get(`${weekday} ${hour}`) ?? {};
                const shade = `${Math.round(((value ?? 0) / highest) * MAX_SHADE)}%`;
                return (
                  <td key={hour} title={text} style={{ '--shade': shade }}>
                    {value === undefined ? '' : compactText(Math.round(value))}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
