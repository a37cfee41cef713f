import {
  addDecimals,
  amountText,
  changeOf,
  changeText,
  divide,
  numberText,
  percentOf,
  percentText,
} from '../amounts.js';
import type { Tile } from '../components/tiles.js';
import type { Compared } from '../data/compare.js';
import type { Figures } from '../fields.js';

const at = (totals: Figures, field: string): string => totals[field] ?? '0';

/** The average bill, or the average per cover. */
export const averageOf = (totals: Figures, per: 'orders' | 'pax'): string | undefined =>
  divide(at(totals, 'gto'), at(totals, per));

type Rated = 'discount' | 'svc' | 'gst';

/** What an amount is in percent of the turnover; a discount, of the turnover before it. */
export function rateOf(totals: Figures, field: Rated): string | undefined {
  const turnover = at(totals, 'gto');
  const whole = field === 'discount' ? addDecimals([turnover, at(totals, field)]) : turnover;
  return percentOf(at(totals, field), whole);
}

/** A figure of a tile: how it is worked out, and how it is written. */
interface Measure {
  readonly label: string;
  readonly title: string;
  readonly valueOf: (totals: Figures) => string | undefined;
  readonly write: (digits: string) => string;
}

const MEASURES: readonly Measure[] = [
  {
    label: 'Turnover',
    title: 'Sales after discount, before GST and service charge',
    valueOf: (totals) => at(totals, 'gto'),
    write: amountText,
  },
  { label: 'Orders', title: 'Bills', valueOf: (totals) => at(totals, 'orders'), write: numberText },
  {
    label: 'Average bill',
    title: 'Turnover divided by orders',
    valueOf: (totals) => averageOf(totals, 'orders'),
    write: amountText,
  },
  {
    label: 'Covers',
    title: 'Guests served',
    valueOf: (totals) => at(totals, 'pax'),
    write: numberText,
  },
  {
    label: 'Average per cover',
    title: 'Turnover divided by covers',
    valueOf: (totals) => averageOf(totals, 'pax'),
    write: amountText,
  },
];

const RATES: readonly (readonly [label: string, title: string, field: Rated])[] = [
  ['Discount', 'Discount in percent of the turnover before it', 'discount'],
  ['Service charge', 'Service charge in percent of the turnover', 'svc'],
  ['GST', 'GST in percent of the turnover', 'gst'],
];

/** The figures that stand before all others; changes are those of comparable restaurants. */
export function tilesOf(compared: Compared): Tile[] {
  const measured = MEASURES.map((measure) => measureTile(compared, measure));
  return [...measured, ...RATES.map((rate) => rateTile(compared, rate))];
}

function measureTile(compared: Compared, { label, title, valueOf, write }: Measure): Tile {
  const { all, alike, alikeBefore } = compared;
  const value = valueOf(all.totals);
  const now = alike && valueOf(alike.totals);
  const then = alikeBefore && valueOf(alikeBefore.totals);
  const change = now !== undefined && then !== undefined ? changeOf(now, then) : undefined;
  const was = isOneBase(compared) && then !== undefined ? `was ${write(then)}` : 'like for like';
  return {
    label,
    title,
    value: value === undefined ? '–' : write(value),
    change: change && changeText(change),
    note: change === undefined ? '' : was,
  };
}

function rateTile(compared: Compared, [label, title, field]: (typeof RATES)[number]): Tile {
  const { all, alikeBefore } = compared;
  const now = rateOf(all.totals, field);
  const then = alikeBefore && rateOf(alikeBefore.totals, field);
  const was = isOneBase(compared) && then !== undefined ? ` · was ${percentText(then)}` : '';
  const note = amountText(at(all.totals, field)) + was;
  return { label, title, value: now === undefined ? '–' : percentText(now), note };
}

/** Whether changes and sums are about the same restaurants, in both periods. */
export const isOneBase = ({ alikeCount, sent, sentBefore }: Compared): boolean =>
  alikeCount > 0 && alikeCount === sent && alikeCount === sentBefore;
