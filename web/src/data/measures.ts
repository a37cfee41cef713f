import { addDecimals, changeOf, divide, percentOf } from '../amounts.js';
import type { Sums } from '../api/shapes.js';
import { type Field, type Figures, kindOf, labelOf } from '../fields.js';

/** A figure of what was sold, as tiles and tables show it. */
export interface Measure {
  readonly label: string;
  readonly title: string;
  readonly kind: 'amount' | 'count' | 'percent';
  readonly value: (totals: Figures) => string | undefined;
  /** The amount of which it is the rate. */
  readonly rateOf?: Field;
  /** Whether tables have it in their files alone. */
  readonly only?: 'file';
}

const figure = (field: Field, title: string): Measure => {
  return { label: labelOf(field), title, kind: kindOf(field), value: (totals) => totals[field] };
};

const average = (per: Field, label: string, title: string): Measure => {
  return { label, title, kind: 'amount', value: (totals) => divide(totals.gto, totals[per]) };
};

/** What an amount is in percent of the turnover; a discount, of the turnover before it. */
const rate = (field: Field, title: string): Measure => ({
  ...{ label: labelOf(field), title, kind: 'percent', rateOf: field },
  value: (totals) =>
    percentOf(totals[field], addDecimals([totals.gto, field === 'discount' ? totals[field] : '0'])),
});

/** The figures that stand before all others. */
export const MEASURES: readonly Measure[] = [
  figure('gto', 'Sales after discount, before GST and service charge'),
  figure('orders', 'Bills'),
  average('orders', 'Average bill', 'Turnover divided by orders'),
  figure('pax', 'Guests served'),
  { ...average('pax', 'Average per cover', 'Turnover divided by covers'), only: 'file' },
  rate('discount', 'Discount in percent of the turnover before it'),
  rate('svc', 'Service charge in percent of the turnover'),
  rate('gst', 'GST in percent of the turnover'),
];

/** By how many percent the turnover has changed; undefined where there is nothing to compare. */
export const turnoverChange = (now: Sums, before: Sums | undefined): string | undefined =>
  before && Number(now.hours) > 0 ? changeOf(now.totals.gto, before.totals.gto) : undefined;
