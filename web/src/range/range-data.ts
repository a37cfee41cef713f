import { parseExact, type Exact } from '../api/exact.js';
import type { components } from '../api/schema.js';
import { api, unwrap } from '../api/session.js';
import { addDays, daysOf } from '../dates.js';
import type { Figures } from '../fields.js';
import { addDecimals } from './decimal.js';

type TotalsResponse = components['schemas']['TotalsResponse'];
export type DayTotals = Exact<TotalsResponse>['days'][number];

/** Of one request. */
const MAX_DAYS = 62;

const WEEK = 7;

export interface Range {
  readonly from: string;
  readonly to: string;
}

/** Reads the totals of restaurants, of all if none is given, in as many requests as the range needs. */
export async function loadTotals(ids: readonly number[], { from, to }: Range): Promise<DayTotals[]> {
  const days: DayTotals[] = [];
  for (const part of partsOf({ from, to })) {
    const query = { ...part, ...(ids.length > 0 ? { restaurant_id: ids.join() } : {}) };
    const json = unwrap(await api.GET('/api/v1/sales/totals', { params: { query }, parseAs: 'text' }));
    days.push(...parseExact<TotalsResponse>(json).days);
  }
  return days;
}

function partsOf({ from, to }: Range): Range[] {
  const starts = daysOf(from, to).filter((_day, index) => index % MAX_DAYS === 0);
  return starts.map((start) => {
    const end = addDays(start, MAX_DAYS - 1);
    return { from: start, to: end < to ? end : to };
  });
}

export interface ComparedDay {
  readonly date: string;
  readonly totals: Figures;
  /** Of the same weekday before. */
  readonly before: string;
}

/** A range with the week before it, which its first days are compared with. */
export async function loadCompared(ids: readonly number[], { from, to }: Range): Promise<ComparedDay[]> {
  const days = await loadTotals(ids, { from: addDays(from, -WEEK), to });
  return days.slice(WEEK).map(({ date, totals }, index) => ({ date, totals, before: days[index]?.totals.gto ?? '0' }));
}

export function sumOf(days: readonly ComparedDay[], field: string): string {
  return addDecimals(days.map(({ totals }) => totals[field] ?? '0'));
}

/** `+12.5 %`, or nothing where there is nothing to compare with. */
export function changeText(now: string, before: string): string {
  if (Number(before) === 0) return '';
  const percent = (Number(now) / Number(before) - 1) * 100;
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`;
}
