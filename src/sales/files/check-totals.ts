import { SALES_FIELDS } from '../fields/sales-fields.js';
import { add, centsOf, type Decimal, digitsOf } from './decimals.js';
import type { Entry } from './entry.js';
import { findTitle, type Located } from './find-columns.js';
import type { DecimalSign, NamedTotal, Profile } from './profile.js';
import { readAmount } from './read-amounts.js';

/** Returns the totals of a profile that stand beside the table. */
export function namedTotals({ control }: Profile): readonly NamedTotal[] {
  return typeof control === 'object' ? [control].flat() : [];
}

/** Says what is wrong with a total that stands beside the table; undefined if it is the sum. */
export function faultOfNamedTotal(
  total: NamedTotal,
  { table, titles, body }: Located,
  entries: readonly Entry[],
  { cents }: Profile,
  sign: DecimalSign,
): string | undefined {
  const { tag, title = '', is } = total;
  const name = tag ?? title;
  const lines = (table.lines ?? []).filter((line) => line.name === tag);
  const text = tag === undefined ? findTitle([...titles, ...body], title) : '';
  const found = tag === undefined ? (text === '' ? [] : [{ line: Infinity, value: text }]) : lines;
  if (found.length === 0) return `its total ${name} (${is}) is missing: is the file cut off?`;
  const isAmount = SALES_FIELDS.some((field) => field.name === is && field.kind === 'amount');
  let above = 0;
  for (const [index, { line, value }] of found.entries()) {
    const read = readAmount(value, sign);
    const written = read !== undefined && isAmount && cents ? centsOf(read) : read;
    // The last total may stand above its rows.
    const isLast = index === found.length - 1;
    const isOwn = (entry: Entry): boolean =>
      entry.line > above && (entry.line < line || (isLast && index === 0));
    const sum = entries
      .filter(isOwn)
      .reduce<Decimal>((all, { figures }) => add(all, figures[is]), 0);
    if (written === undefined) return `its total ${name} (${is}), ${value}, is not an amount`;
    if (written !== sum)
      return `its total ${name} (${is}) is ${digitsOf(written)}, and the rows add up to ${digitsOf(sum)}: are rows missing?`;
    above = line;
  }
  return undefined;
}
