import {
  amountText,
  changeOf,
  changeText,
  divide,
  numberText,
  percentOf,
  percentText,
} from '../amounts.js';
import type { Tile } from '../components/tiles.js';
import { addDecimals } from '../amounts.js';
import type { Figures } from '../fields.js';
import type { Compared } from '../data/compare.js';

const at = (totals: Figures, field: string): string => totals[field] ?? '0';

/** The average bill, or the average per cover. */
export const averageOf = (totals: Figures, per: 'orders' | 'pax'): string | undefined =>
  divide(at(totals, 'gto'), at(totals, per));

/** What an amount is in percent of the turnover; a discount, of the turnover before it. */
export function rateOf(totals: Figures, field: 'discount' | 'svc' | 'gst'): string | undefined {
  const turnover = at(totals, 'gto');
  const whole = field === 'discount' ? addDecimals([turnover, at(totals, field)]) : turnover;
  return percentOf(at(totals, field), whole);
}

/** The figures that stand before all others; changes are those of comparable restaurants. */
export function tilesOf(compared: Compared): Tile[] {
  const { all, alike, alikeBefore } = compared;
  const isSameBase = isOneBase(compared);
  const shared = (
    label: string,
    title: string,
    valueOf: (totals: Figures) => string | undefined,
    write: (digits: string) => string,
  ): Tile => {
    const value = valueOf(all.totals);
    const [now, then] = [
      alike && valueOf(alike.totals),
      alikeBefore && valueOf(alikeBefore.totals),
    ];
    const change = now !== undefined && then !== undefined ? changeOf(now, then) : undefined;
    const note = change === undefined ? '' : isSameBase ? `was ${write(then!)}` : 'like for like';
    return {
      label,
      title,
      value: value === undefined ? '–' : write(value),
      change: change && changeText(change),
      note,
    };
  };
  const rate = (label: string, title: string, field: 'discount' | 'svc' | 'gst'): Tile => {
    const [now, then] = [
      rateOf(all.totals, field),
      alikeBefore && rateOf(alikeBefore.totals, field),
    ];
    const was = isSameBase && then !== undefined ? ` was ${percentText(then)}` : '';
    return {
      label,
      title,
      value: now === undefined ? '–' : percentText(now),
      note: `${amountText(at(all.totals, field))}${was && ` · ${was.trim()}`}`,
    };
  };
  return [
    shared(
      'Turnover',
      'Sales after discount, before GST and service charge',
      (t) => at(t, 'gto'),
      amountText,
    ),
    shared('Orders', 'Bills', (t) => at(t, 'orders'), numberText),
    shared('Average bill', 'Turnover divided by orders', (t) => averageOf(t, 'orders'), amountText),
    shared('Covers', 'Guests served', (t) => at(t, 'pax'), numberText),
    shared(
      'Average per cover',
      'Turnover divided by covers',
      (t) => averageOf(t, 'pax'),
      amountText,
    ),
    rate('Discount', 'Discount in percent of the turnover before it', 'discount'),
    rate('Service charge', 'Service charge in percent of the turnover', 'svc'),
    rate('GST', 'GST in percent of the turnover', 'gst'),
  ];
}

/** Whether changes and sums are about the same restaurants, in both periods. */
export const isOneBase = ({ alikeCount, sent, sentBefore }: Compared): boolean =>
  alikeCount > 0 && alikeCount === sent && alikeCount === sentBefore;
