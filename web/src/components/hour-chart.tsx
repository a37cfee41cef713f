import type { ComponentChildren } from 'preact';
import { type Figures, figureText, HOURS, hourText, labelOf, NO_FIGURES } from '../fields.js';
import { useKept } from '../route.js';
import { type Bar, Bars } from './bars.js';
import { Card } from './card.js';
import { Choices } from './choices.js';

const MEASURES = (['gto', 'orders', 'pax'] as const).map((field) => {
  return [field, labelOf(field)] as const;
});

type Measure = (typeof MEASURES)[number][0];

interface HourChartProps {
  readonly now: string;
  readonly before: string | undefined;
  /** The figures of an hour in each of them; undefined where nothing was sent. */
  readonly figuresAt: (hour: string) => readonly [Figures | undefined, Figures | undefined];
  readonly children?: ComponentChildren;
}

/** Draws turnover, orders or covers by hour of the day, beside those of an earlier period. */
export function HourChart({ now, before, figuresAt, children }: HourChartProps) {
  const [measure, setMeasure] = useKept<Measure>('measure', 'gto');
  const label = `${labelOf(measure)} by hour`;
  const bars = HOURS.map((hour): Bar => {
    const [value, then] = figuresAt(hour).map((figures = NO_FIGURES) => figures[measure]);
    const was = before === undefined ? '' : `, was ${figureText(measure, then!)}`;
    return {
      label: hourText(hour),
      tick: hour.padStart(2, '0'),
      value: value!,
      before: before === undefined ? undefined : then,
      text: figureText(measure, value!) + was,
    };
  });
  return (
    <Card
      title={label}
      actions={
        <Choices label="What is drawn" value={measure} options={MEASURES} choose={setMeasure} />
      }
    >
      <Bars {...{ label, now, before, bars }} />
      {children}
    </Card>
  );
}
