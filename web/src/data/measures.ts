import { addDecimals, amountText, changeOf, divide, numberText, percentOf } from '../amounts.js';
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

/** A figure that stands before all others: how it is worked out, and how it is written. */
interface Measure {
  readonly label: string;
  readonly title: string;
  readonly valueOf: (totals: Figures) => string | undefined;
  readonly write: (digits: string) => string;
}

export const MEASURES: readonly Measure[] = [
  {
    label: 'Turnover',
    title: 'Sales after discount, before GST and service charge',
    valueOf: ({ gto }) => gto,
    write: amountText,
  },
  { label: 'Orders', title: 'Bills', valueOf: ({ orders }) => orders, write: numberText },
  {
    label: 'Average bill',
    title: 'Turnover divided by orders',
    valueOf: (totals) => averageOf(totals, 'orders'),
    write: amountText,
  },
  { label: 'Covers', title: 'Guests served', valueOf: ({ pax }) => pax, write: numberText },
  {
    label: 'Average per cover',
    title: 'Turnover divided by covers',
    valueOf: (totals) => averageOf(totals, 'pax'),
    write: amountText,
  },
];

export const RATES = [
  ['Discount', 'Discount in percent of the turnover before it', 'discount'],
  ['Service charge', 'Service charge in percent of the turnover', 'svc'],
  ['GST', 'GST in percent of the turnover', 'gst'],
] as const;
