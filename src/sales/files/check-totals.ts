import { SALES_FIELDS } from '../fields/sales-fields.js';
import { add, centsOf, type Decimal, digitsOf } from './decimals.js';
import { findTitle, type Located } from './find-columns.js';
import type { DecimalSign, NamedTotal, Profile } from './profile.js';
import { readAmount } from './read-amounts.js';
import type { Entry } from './table.js';

/** Returns the totals of a profile that stand beside the table. */
export function namedTotals({ control }: Profile): readonly NamedTotal[] {
  return typeof control === 'object' ? [control].flat() : [];
}

/** Says what is wrong with a total beside the table; a file of several days has one for each. */
export function faultOfNamedTotal(
  { tag, title = '', is }: NamedTotal,
  { table, titles, body }: Located,
  entries: readonly Entry[],
  { cents }: Profile,
  sign: DecimalSign,
): string | undefined {
  const name = `its total ${tag ?? title} (${is})`;
  const lines = (table.lines ?? []).filter((line) => line.name === tag).map(({ value }) => value);
  const texts = tag === undefined ? [findTitle([...titles, ...body], title)] : lines;
  const isInCents = cents && SALES_FIELDS.some((field) => field.name === is && isAmount(field));
  let written: Decimal = 0;
  for (const text of texts.filter((each) => each !== '')) {
    const amount = readAmount(text, sign);
    if (amount === undefined) return `${name}, ${text}, is not an amount`;
    written = add(written, isInCents ? centsOf(amount) : amount);
  }
  if (texts.join('') === '') return `${name} is missing: is the file cut off?`;
  const sum = entries.reduce<Decimal>((all, { figures }) => add(all, figures[is]), 0);
  return written === sum
    ? undefined
    : `${name} is ${digitsOf(written)}, and the rows add up to ${digitsOf(sum)}: are rows missing?`;
}

const isAmount = ({ kind }: (typeof SALES_FIELDS)[number]): boolean => kind === 'amount';
