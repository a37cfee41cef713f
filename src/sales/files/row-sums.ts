import { add, type Decimal } from './decimals.js';
import { type Entry, groupBy } from './entry.js';
import { isNameOfTotal } from './table.js';

/**
 * Asks about rows that may be the sum of others of their hour, or of all: they are called so, or it
 * adds up in every hour that has several rows.
 */
export function questionOfSums(entries: readonly Entry[]): string | undefined {
  const texts = entries.map(({ till, part }) => [till, ...part.split('\t').slice(1)]);
  if (!texts.some((row) => row.some((text) => text !== ''))) return undefined;
  const kinds = (texts[0] ?? []).map((_, at) => new Set(texts.map((row) => row[at])));
  const isTotal = (text: string, at: number): boolean => isNameOfTotal(text) && kinds[at]!.size > 1;
  const named = texts.findIndex((row) => row.some(isTotal));
  const sum = named < 0 ? (sumOfHours(entries) ?? sumOfAll(entries, texts)) : entries[named];
  if (!sum) return undefined;
  const what =
    named < 0
      ? 'it is the sum of other rows'
      : `${texts[named]!.find(isTotal)} may be the sum of other rows`;
  return `line ${sum.line}: ${what}: skip these in the profile, as by rows: read "*", skip "Total"`;
}

/** Returns the first row that is the sum of the others of its hour, if every hour has one. */
function sumOfHours(entries: readonly Entry[]): Entry | undefined {
  const hours = groupBy(entries, ({ restaurant, date, hour }) => `${restaurant}\n${date}\n${hour}`);
  const sums = hours.filter(({ length }) => length > 2).map(sumAmong);
  return sums.length > 1 && sums.every((row) => row !== undefined) ? sums[0] : undefined;
}

/** Returns the last row if it has no text of its own and is the sum of all others. */
function sumOfAll(entries: readonly Entry[], texts: readonly string[][]): Entry | undefined {
  const last = entries.at(-1);
  const isBare = texts.at(-1)!.slice(1).includes('');
  return isBare && entries.length > 2 && sumAmong(entries) === last ? last : undefined;
}

/** Returns the first row whose turnover is that of all others together. */
function sumAmong(rows: readonly Entry[]): Entry | undefined {
  const total = rows.reduce<Decimal>((sum, { figures }) => add(sum, figures.gto), 0);
  return rows.find(({ figures: { gto } }) => gto !== 0 && add(gto, gto) === total);
}
