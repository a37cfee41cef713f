import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Figures, figureText, hourText, labelOf } from '../fields.js';
import { type Bar, Bars, BarsKey } from './bars.js';
import { Card } from './card.js';
import { Choices } from './choices.js';

const MEASURES = (['gto', 'orders', 'pax'] as const).map((field) => {
  return [field, labelOf(field)] as const;
});

type Measure = (typeof MEASURES)[number][0];

/** The figures of an hour of the day, and those of an earlier period; undefined where nothing was sent. */
export interface HourFigures {
  readonly hour: string;
  readonly now: Figures | undefined;
  readonly before: Figures | undefined;
}

interface HourChartProps {
  /** Names of both periods. */
  readonly now: string;
  readonly before: string | undefined;
  /** Undefined while they are being loaded. */
  readonly hours: readonly HourFigures[] | undefined;
  readonly children?: ComponentChildren;
}

/** Draws turnover, orders or covers by hour of the day, beside those of an earlier period. */
export function HourChart({ now, before, hours, children }: HourChartProps) {
  const [measure, setMeasure] = useState<Measure>('gto');
  const label = `${labelOf(measure)} by hour`;
  const hasBefore = before !== undefined;
  return (
    <Card
      title={label}
      actions={
        <Choices label="What is drawn" value={measure} options={MEASURES} choose={setMeasure} />
      }
    >
      <BarsKey now={now} before={before} />
      {hours && <Bars label={label} bars={hours.map((hour) => barOf(hour, measure, hasBefore))} />}
      {children}
    </Card>
  );
}

function barOf({ hour, now, before }: HourFigures, measure: Measure, hasBefore: boolean): Bar {
  const [value, then] = [now?.[measure] ?? '0', before?.[measure] ?? '0'];
  const was = hasBefore ? `, was ${figureText(measure, then)}` : '';
  return {
    label: hourText(hour),
    tick: Number(hour) % 3 === 0 ? hour.padStart(2, '0') : '',
    value,
    before: hasBefore ? then : undefined,
    text: figureText(measure, value) + was,
  };
}
