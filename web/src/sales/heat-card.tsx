import { useMemo } from 'preact/hooks';
import { amountText, divide, numberText } from '../amounts.js';
import type { WeekdayHourSums } from '../api/shapes.js';
import { Card } from '../components/card.js';
import { type HeatCell, HeatMap } from '../components/heat-map.js';
import { type DateRange, rangeText, weekdayOf } from '../dates.js';
import { hourText } from '../fields.js';
import { Progress } from '../use-load.js';
import type { Hours } from './hours-card.js';

interface HeatCardProps {
  readonly range: DateRange;
  /** The hours of the period by weekday. */
  readonly hours: Hours;
}

/** Shows which hours of which weekdays are busy. */
export function HeatCard({ range, hours }: HeatCardProps) {
  const cells = useMemo(
    () =>
      (hours.value?.now as readonly WeekdayHourSums[] | undefined)?.map((line): HeatCell => {
        const turnover = line.totals['gto'] ?? '0';
        const average = divide(turnover, line.hours);
        const when = `${weekdayOf(Number(line.weekday))} ${hourText(line.hour)}`;
        return {
          weekday: Number(line.weekday),
          hour: Number(line.hour),
          value: average === undefined ? undefined : Number(average),
          text:
            average === undefined
              ? `${when}: nothing was sent`
              : `${when}: turnover ${amountText(turnover)} in ${numberText(line.hours)} hours that were sent, ${amountText(average)} in each`,
        };
      }),
    [hours.value],
  );
  return (
    <Card
      title="Weekday and hour"
      note={`average turnover of an hour that a restaurant sent, ${rangeText(range)}`}
    >
      <Progress of={hours} />
      {cells && <HeatMap label="Turnover by weekday and hour" cells={cells} />}
    </Card>
  );
}
