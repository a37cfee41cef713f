import { SALES_FIELDS } from '../fields/sales-fields.js';
import { add, type Decimal, digitsOf } from './decimals.js';
import { type FieldName, fieldsOf } from './profile.js';
import type { ReadFile } from './read-sales-file.js';

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

type Figures = Record<FieldName, Decimal>;

/** Returns the first day of a file that was read, by its own name of the restaurant. */
export function firstDayOf({ entries, profile }: ReadFile): FirstDay | undefined {
  const [first] = entries;
  if (!first || !profile) return undefined;
  const { restaurant, date } = first;
  const hours = new Map<number, Figures>();
  const totals = nothing();
  for (const entry of entries) {
    if (entry.restaurant !== restaurant || entry.date !== date) continue;
    const hour = hours.get(entry.hour) ?? nothing();
    hours.set(entry.hour, hour);
    for (const { name } of SALES_FIELDS) {
      hour[name] = add(hour[name], entry.figures[name]);
      totals[name] = add(totals[name], entry.figures[name]);
    }
  }
  const sorted = [...hours].sort(([one], [other]) => one - other);
  return {
    restaurant,
    date,
    days: new Set(entries.map((entry) => `${entry.restaurant}\n${entry.date}`)).size,
    hours: sorted.map(([hour, figures]) => ({ hour, figures: inTexts(figures) })),
    totals: inTexts(totals),
    fields: fieldsOf(profile),
  };
}

const nothing = (): Figures =>
  Object.fromEntries(SALES_FIELDS.map(({ name }) => [name, 0])) as Figures;

const inTexts = (figures: Figures): Texts =>
  Object.fromEntries(SALES_FIELDS.map(({ name }) => [name, digitsOf(figures[name])])) as Texts;
