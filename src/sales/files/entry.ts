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
  /** The date that is written, which is the evening's for hours after midnight. */
  readonly day: string;
  /** What tells this row from others of the same till and date: its minute, or its receipt. */
  readonly part: string;
  readonly figures: Readonly<Record<FieldName, Decimal>>;
}

/** Tells the rows of a file, or of several, apart. */
export const keyOf = ({ restaurant, till, date, part }: Entry): string =>
  `${restaurant}\n${date}\n${till}\n${part}`;
