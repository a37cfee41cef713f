import type { ComponentChildren } from 'preact';
import { amountText } from '../amounts.js';
import { hoursOf, type Lists } from '../data/totals.js';
import { rangeText } from '../dates.js';
import { hourText } from '../fields.js';
import { type Bar, Bars } from './bars.js';
import { Card } from './card.js';

interface HourChartProps {
  readonly now: Lists;
  readonly before: Lists | undefined;
  readonly children?: ComponentChildren;
}

/** Draws the turnover by hour of the day, beside that of an earlier period. */
export function HourChart({ now, before, children }: HourChartProps) {
  const label = 'Turnover by hour';
  const earlier = before && hoursOf(before);
  const bars = hoursOf(now).map(({ totals: { gto } }, hour): Bar => {
    const then = earlier?.[hour]!.totals.gto;
    const was = then === undefined ? '' : `, was ${amountText(then)}`;
    const tick = String(hour).padStart(2, '0');
    return { label: hourText(hour), tick, value: gto, before: then, text: amountText(gto) + was };
  });
  return (
    <Card title={label}>
      <Bars {...{ label, bars }} now={rangeText(now)} before={before && rangeText(before)} />
      {children}
    </Card>
  );
}
