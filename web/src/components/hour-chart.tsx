import type { ComponentChildren } from 'preact';
import { hoursOf, type Lists } from '../data/totals.js';
import { hourText, labelOf } from '../fields.js';
import { useKept } from '../route.js';
import { Bars } from './bars.js';
import { Card } from './card.js';
import { Choices } from './choices.js';

type Measure = 'gto' | 'orders' | 'pax';

const MEASURES = (['gto', 'orders', 'pax'] as const).map((field) => {
  return [field, labelOf(field)] as const;
});

interface HourChartProps {
  readonly now: Lists;
  readonly before: Lists | undefined;
  readonly children?: ComponentChildren;
}

/** Draws turnover, orders or covers by hour of the day, beside those of an earlier period. */
export function HourChart({ now, before, children }: HourChartProps) {
  const [measure, setMeasure] = useKept<Measure>('measure', 'gto');
  const label = `${labelOf(measure)} by hour`;
  const earlier = before && hoursOf(before);
  const rows = hoursOf(now).map((sums, hour) => {
    const tick = String(hour).padStart(2, '0');
    const then = earlier && { ...earlier[hour]!, tick, label: 'before' };
    return { now: { ...sums, tick, label: hourText(hour) }, before: then };
  });
  const choices = { label: 'What is drawn', value: measure, options: MEASURES };
  return (
    <Card title={label} actions={<Choices {...choices} choose={setMeasure} />}>
      <Bars {...{ label, rows, now, before }} field={measure} />
      {children}
    </Card>
  );
}
