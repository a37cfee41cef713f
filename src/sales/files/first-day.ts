import { digitsOf } from '../fields/decimals.js';
import { type Figures, SALES_FIELDS } from '../fields/sales-fields.js';
import type { ReadFile } from './read-sales-file.js';
import { byHour, type Entry, sumOf } from './table.js';

export type FirstDay = NonNullable<ReturnType<typeof firstDayOf>>;

/**
 * Returns the first day of a file as a table, hours down, figures across and totals below, with the
 * file's own name of the restaurant, and how many days of restaurants the file has.
 */
export function firstDayOf({ days, fields }: ReadFile) {
  const [first] = days;
  if (!first) return undefined;
  const { restaurant, date } = first;
  const own = days
    .filter((each) => each.restaurant === restaurant && each.date === date)
    .flatMap(({ entries }) => entries);
  return {
    ...{ restaurant, date },
    days: new Set(days.map((day) => `${day.restaurant}\n${day.date}`)).size,
    hours: byHour(own).map(([hour, entries]) => ({ hour, figures: sumsOf(entries) })),
    totals: sumsOf(own),
    fields,
  };
}

const sumsOf = (entries: readonly Entry[]) =>
  Object.fromEntries(
    SALES_FIELDS.map(({ name }) => [name, digitsOf(sumOf(entries, name))]),
  ) as Figures<string>;
