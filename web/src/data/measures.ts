import { addDecimals, changeOf, divide, percentOf } from '../amounts.js';
import type { Sums } from '../api/shapes.js';
import type { Figures } from '../fields.js';

/** The average bill, or the average per cover. */
export const averageOf = ({ gto, ...totals }: Figures, per: 'orders' | 'pax'): string | undefined =>
  divide(gto, totals[per]);

/** What an amount is in percent of the turnover; a discount, of the turnover before it. */
export function rateOf(
  { gto, ...totals }: Figures,
  field: 'discount' | 'svc' | 'gst',
): string | undefined {
  const whole = field === 'discount' ? addDecimals([gto, totals[field]]) : gto;
  return percentOf(totals[field], whole);
}

/** By how many percent the turnover has changed; undefined where there is nothing to compare. */
export const turnoverChange = (now: Sums, before: Sums | undefined): string | undefined =>
  before && Number(now.hours) > 0 ? changeOf(now.totals.gto, before.totals.gto) : undefined;
