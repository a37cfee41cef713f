import { useState } from 'preact/hooks';
import { Bars, BarsKey, type Bar } from '../components/bars.js';
import { Card } from '../components/card.js';
import { Choices } from '../components/choices.js';
import { shortDate } from '../dates.js';
import { figureText, hourText, labelOf } from '../fields.js';
import { HOURS, type Day } from './day-data.js';

type Measure = 'gto' | 'orders' | 'pax';

const MEASURES = (['gto', 'orders', 'pax'] as const).map((field): readonly [Measure, string] => [
  field,
  labelOf(field),
]);

/** Draws the hours of a day beside those of the week before. */
export function DayHours({ day, before }: { day: Day; before: Day }) {
  const [measure, setMeasure] = useState<Measure>('gto');
  const hasBefore = before.records.length > 0;
  const valueOf = ({ records }: Day, hour: string): string =>
    records.find((record) => record.hour === hour)?.[measure] ?? '0';
  const bars = HOURS.map((hour, index): Bar => {
    const [value, then] = [valueOf(day, hour), valueOf(before, hour)];
    const was = hasBefore ? `, was ${figureText(measure, then)}` : '';
    return {
      label: hourText(hour),
      tick: index % 3 === 0 ? hour.padStart(2, '0') : '',
      value,
      before: hasBefore ? then : undefined,
      text: figureText(measure, value) + was,
    };
  });
  const label = `${labelOf(measure)} by hour`;
  return (
    <Card
      title={label}
      actions={
        <Choices label="What is drawn" value={measure} options={MEASURES} choose={setMeasure} />
      }
    >
      <BarsKey now={shortDate(day.date)} before={hasBefore ? shortDate(before.date) : undefined} />
      <Bars label={label} bars={bars} />
    </Card>
  );
}
