import { REPORT_LIMITS } from '../../../src/sales/reports/report-limits.js';
import { MAX_KEPT } from '../account.js';
import type { Sums, TotalsResponse } from '../api/shapes.js';
import type { Selection } from '../data/selection.js';
import { type Grouping, hoursOf, type Lists, loadTotals } from '../data/totals.js';
import {
  addDays,
  countDays,
  type DateRange,
  dayAndMonth,
  monthAndYear,
  shortDate,
} from '../dates.js';
import { type Field, hourText } from '../fields.js';

export type By = 'hour' | 'date' | 'week' | 'month';

/** Of more restaurants, only the figures that are shown are loaded for each: less to read at once. */
const MANY_RESTAURANTS = 300;
const SHOWN_FIELDS: readonly Field[] = ['gto', 'orders', 'pax', 'discount', 'svc', 'gst'];
/** The figures that are drawn by hour. */
const DRAWN_FIELDS: readonly Field[] = ['gto', 'orders', 'pax'];

/** An hour of the day, a day, a week or a month, with what was sold in it. */
export interface PeriodLine extends DateRange, Sums {
  readonly key: string;
  readonly label: string;
  readonly tick: string;
  /** How many restaurants sent anything; undefined of hours. */
  readonly restaurants?: string;
}

export type Sales = Awaited<ReturnType<typeof loadSales>>;

/** Reads sales in one request, or in two or three where one would be too large. */
export async function loadSales(
  { range, before, ids }: Pick<Selection, 'range' | 'before' | 'ids'>,
  by: By,
  count: number,
  signal: AbortSignal,
) {
  const hourDays = Math.max(1, Math.floor(REPORT_LIMITS.hourlyTotals.restaurantDays / count));
  const last = (all: DateRange): DateRange =>
    countDays(all) <= hourDays ? all : { from: addDays(all.to, 1 - hourDays), to: all.to };
  const hourRanges = { range: last(range), before: before && last(before) };
  const isInOne = hourRanges.range === range && hourRanges.before === before;
  const isApart = count > MANY_RESTAURANTS && count <= MAX_KEPT;
  const byHour: Grouping = countDays(range) > 1 ? 'weekday_hour' : 'hour';
  const groups: readonly Grouping[] = [
    by === 'hour' ? 'month' : by,
    ...(count <= MANY_RESTAURANTS ? ['restaurant' as const] : []),
    ...(isInOne ? [byHour] : []),
  ];
  const load = (groupings: readonly Grouping[], others: object = {}) =>
    loadTotals({ range, before, ids, by: groupings, ...others }, signal);
  const [all, ofEach] = await Promise.all([
    load(groups),
    isApart ? load(['restaurant'], { fields: SHOWN_FIELDS }) : undefined,
  ]);
  const now: TotalsResponse = { ...all, ...ofEach, before: { ...all.before, ...ofEach?.before } };
  // Where the service does not read all hours at once, they are those of the last days. They are
  // asked for last: of three requests at once, it may refuse one that would wait for long.
  const drawn = { ...hourRanges, ...(by !== 'hour' && { fields: DRAWN_FIELDS }) };
  const hours = isInOne ? all : await load([byHour], drawn);
  return { range, by, now, before: before && now.before, hours };
}

/** Returns the days, weeks or months of a period, or the hours of the day over all of its days. */
export function linesOf(of: Lists, by: By): readonly PeriodLine[] {
  const { from: first, to: last } = of;
  if (by === 'hour')
    return hoursOf(of).map((sums, hour) => {
      const label = hourText(hour);
      return { ...sums, key: label, from: first, to: last, label, tick: label };
    });
  const lines = {
    date: () => of.days.map((day) => ({ ...day, from: day.date, to: day.date })),
    week: () => of.weeks,
    month: () => of.months,
  }[by]();
  return lines.map((line) => {
    const { from, to } = line;
    const label = { date: shortDate(from), week: weekText(line), month: monthAndYear(from) }[by];
    const tick = by === 'month' ? label.slice(0, 3) : dayAndMonth(from);
    return { ...line, key: from, from, to, label, tick };
  });
}

const weekText = ({ from, to }: DateRange): string => `${dayAndMonth(from)} to ${shortDate(to)}`;
