import type { Decimal } from './decimals.js';
import type { FieldName } from './profile.js';

/** The figures of a row of a file, or of a part of it: an hour of a till. */
export interface Entry {
  readonly line: number;
  /** How the file names the restaurant. */
  readonly restaurant: string;
  readonly till: string;
  readonly date: string;
  readonly hour: number;
  /** What tells this row from others of the same till and hour: its minute, and what adds up. */
  readonly part: string;
  readonly figures: Readonly<Record<FieldName, Decimal>>;
}

/** Returns the rows that have a key each in common, in the order of the first ones. */
export function groupBy(entries: readonly Entry[], keyOf: (entry: Entry) => string): Entry[][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return [...groups.values()];
}

/** Tells the rows of a file, or of several, apart. */
export const keyOf = ({ restaurant, till, date, hour, part }: Entry): string =>
  `${restaurant}\n${date}\n${hour}\n${till}\n${part}`;
