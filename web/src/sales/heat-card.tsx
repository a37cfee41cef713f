import { useMemo } from 'preact/hooks';
import { amountText, divide, numberText } from '../amounts.js';
import type { TotalsResponse, WeekdayHourSums } from '../api/shapes.js';
import { Card } from '../components/card.js';
import { type HeatCell, HeatMap } from '../components/heat-map.js';
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
