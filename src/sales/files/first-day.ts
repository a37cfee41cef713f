import { digitsOf } from '../fields/decimals.js';
import { SALES_FIELDS } from '../fields/sales-fields.js';
import type { FieldName } from './profile.js';
import type { ReadFile } from './read-sales-file.js';
import { byHour, type Entry, sumOf } from './table.js';

type Texts = Readonly<Record<FieldName, string>>;

/** The first day of a file as a table: hours down, figures across, totals below. */
export interface FirstDay {
  /** How the file names the restaurant. */
  readonly restaurant: string;
  readonly date: string;
  /** How many days of restaurants the file has. */
  readonly days: number;
  readonly hours: readonly { readonly hour: number; readonly figures: Texts }[];
  readonly totals: Texts;
  /** The fields that files of the source have. */
  readonly fields: readonly FieldName[];
}

/** Returns the first day of a file that was read, by its own name of the restaurant. */
export function firstDayOf({ days, fields }: ReadFile): FirstDay | undefined {
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

const sumsOf = (entries: readonly Entry[]): Texts =>
  Object.fromEntries(
    SALES_FIELDS.map(({ name }) => [name, digitsOf(sumOf(entries, name))]),
  ) as Texts;
