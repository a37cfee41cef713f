import { useMemo } from 'preact/hooks';
import { amountText, divide, numberText } from '../amounts.js';
import { Card } from '../components/card.js';
import { type HeatCell, HeatMap } from '../components/heat-map.js';
import { BY_WEEKDAY_AND_HOUR, type Group, readTotals } from '../data/totals.js';
import { type DateRange, rangeText, weekdayOf } from '../dates.js';
import { hourText } from '../fields.js';
import { Progress, useLoad } from '../use-load.js';

/** Shows which hours of which weekdays are busy. */
export function HeatCard({ range, group }: { range: DateRange; group: Group }) {
  const loaded = useLoad(() => readTotals(BY_WEEKDAY_AND_HOUR, range, group), []);
  const cells = useMemo(
    () =>
      loaded.value?.map((line): HeatCell => {
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
    [loaded.value],
  );
  return (
    <Card
      title="Weekday and hour"
      note={`average turnover of an hour that a restaurant sent, ${rangeText(range)}`}
    >
      <Progress of={loaded} />
      {cells && <HeatMap label="Turnover by weekday and hour" cells={cells} />}
    </Card>
  );
}
