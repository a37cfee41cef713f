import { add, type Decimal, digitsOf } from '../fields/decimals.js';
import { SALES_FIELDS } from '../fields/sales-fields.js';
import { type FieldName, fieldsOf } from './profile.js';
import type { ReadFile } from './read-sales-file.js';
import type { Entry } from './table.js';

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
export function firstDayOf({ entries, profile }: ReadFile): FirstDay | undefined {
  const [first] = entries;
  if (!first || !profile) return undefined;
  const { restaurant, date } = first;
  const own = entries.filter((each) => each.restaurant === restaurant && each.date === date);
  const hours = [...new Set(own.map(({ hour }) => hour))].sort((one, other) => one - other);
  return {
    ...{ restaurant, date },
    days: new Set(entries.map((entry) => `${entry.restaurant}\n${entry.date}`)).size,
    hours: hours.map((hour) => ({
      hour,
      figures: sumsOf(own.filter((entry) => entry.hour === hour)),
    })),
    totals: sumsOf(own),
    fields: fieldsOf(profile),
  };
}

function sumsOf(entries: readonly Entry[]): Texts {
  const sumOf = (name: FieldName): string =>
    digitsOf(entries.reduce<Decimal>((sum, { figures }) => add(sum, figures[name]), 0));
  return Object.fromEntries(SALES_FIELDS.map(({ name }) => [name, sumOf(name)])) as Texts;
}
