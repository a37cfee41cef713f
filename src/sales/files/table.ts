import { add, type Decimal } from '../fields/decimals.js';
import type { Figures } from '../fields/sales-fields.js';
import type { FieldName } from './profile.js';

/** A number of a workbook or of JSON, whose digits have one reading only. */
export class WrittenNumber {
  constructor(readonly digits: string) {}

  toString(): string {
    return this.digits;
  }
}

export type Cell = string | WrittenNumber;

export interface Row {
  /** The line of a text file, or the row of a sheet, from 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** A line that is a tag and a value. */
export interface TaggedLine {
  readonly line: number;
  readonly name: string;
  readonly value: string;
}

/** The rows of a text file or of a sheet of a workbook. */
export interface Table {
  /** The name of the sheet; empty for a text file. */
  readonly sheet: string;
  readonly rows: readonly Row[];
  /** Every line of a file of numbered lines. */
  readonly lines?: readonly TaggedLine[];
}

/** The rows of a restaurant, a till and a date. */
export interface TillDay {
  /** How the file names the restaurant. */
  readonly restaurant: string;
  readonly till: string;
  readonly date: string;
  readonly entries: readonly Entry[];
}

/** The figures of a row of a file: an hour, or a part of it. */
export interface Entry {
  readonly line: number;
  readonly hour: number;
  /** The date that is written, which is the evening's for hours after midnight. */
  readonly day: string;
  /** What tells this row from others of the same till and date: its minute, or its receipt. */
  readonly part: string;
  readonly figures: Figures<Decimal>;
}

export const sumOf = (entries: readonly Entry[], field: FieldName): Decimal =>
  entries.reduce<Decimal>((sum, { figures }) => add(sum, figures[field]), 0);

/** Groups rows by their hour, the earliest hour first. */
export function byHour(entries: readonly Entry[]): [hour: number, entries: Entry[]][] {
  const hours = new Map<number, Entry[]>();
  for (const entry of entries) {
    const known = hours.get(entry.hour);
    if (known) known.push(entry);
    else hours.set(entry.hour, [entry]);
  }
  return [...hours].sort(([one], [other]) => one - other);
}

/** Says why a file cannot be read; the text is for people. */
export class FileRefused extends Error {}

/** A cell holds at most as many characters as in Excel. */
export const MAX_CELL_LENGTH = 32_767;
/** A year of a large restaurant has a third of it. */
export const MAX_CELLS = 5_000_000;

export const tooManyCells = (): FileRefused =>
  new FileRefused(`holds more than ${MAX_CELLS.toLocaleString('en')} cells: split it`);

export const textOf = (cell: Cell | undefined): string =>
  typeof cell === 'string' ? cell : (cell?.digits ?? '');

export const isBlank = ({ cells }: Row): boolean => cells.every((cell) => textOf(cell) === '');

/** Returns the texts of a row with blanks between them. */
export const wholeText = ({ cells }: Row): string =>
  cells
    .map(textOf)
    .filter((text) => text !== '')
    .join(' ');

/** Makes headings comparable: how they are written does not count. */
export const normalHeading = (heading: string): string =>
  heading.replace(/\s+/g, ' ').trim().toLowerCase().normalize();

/** Compares a text with a pattern of a profile, in which `*` stands for any text, part by part. */
export function matchesPattern(text: string, pattern: string): boolean {
  const whole = text.toLowerCase();
  const [first = '', ...parts] = pattern.toLowerCase().split('*');
  const last = parts.pop();
  if (last === undefined) return whole === first;
  if (!whole.startsWith(first) || !whole.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = whole.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= whole.length - last.length;
}

/** Finds what is listed for a text: the text itself counts before a pattern, a long one before a short one. */
export function bestMatch<Value>(
  text: string,
  listed: ReadonlyMap<string, Value>,
): Value | undefined {
  const rank = (pattern: string): number =>
    pattern.includes('*') ? pattern.length : MAX_CELL_LENGTH;
  const [best] = [...listed.keys()]
    .filter((pattern) => matchesPattern(text, pattern))
    .sort((one, other) => rank(other) - rank(one));
  return best === undefined ? undefined : listed.get(best);
}
