import type { ComponentChildren } from 'preact';
import { amountText, numberText, percentText } from '../amounts.js';
import { shortDate } from '../dates.js';

/** A column of a table: what it shows, sorts by, and writes into files. */
export interface Column<Row> {
  readonly label: string;
  /** A sentence that explains the label. */
  readonly title?: string;
  /** How the value is shown; text is shown as it is. */
  readonly kind?: 'text' | 'amount' | 'count' | 'percent' | 'date';
  /** The value: digits without grouping, a date as YYYY-MM-DD, or text. */
  readonly value: (row: Row) => string | undefined;
  /** What is shown instead of the value. */
  readonly show?: (row: Row) => ComponentChildren;
  /** A style class of the cell. */
  readonly class?: (row: Row) => string;
  /** Sorts text as a number. */
  readonly sortValue?: (row: Row) => number;
  /** `screen`: is not written into files; `file`: is only written into files. */
  readonly only?: 'screen' | 'file';
}

/** Writes a value as its column shows it. */
export function textOf(kind: Column<unknown>['kind'], value: string | undefined): string {
  if (value === undefined || value === '') return '';
  if (kind === 'amount') return amountText(value);
  if (kind === 'count') return numberText(value);
  if (kind === 'percent') return percentText(value);
  if (kind === 'date') return shortDate(value);
  return value;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export interface Order {
  readonly column: number;
  readonly isAscending: boolean;
}

/** Sorts rows by numbers, or else by text; rows without a number are the last ones either way. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { column, isAscending }: Order,
): Row[] {
  const { kind = 'text', value, sortValue } = columns[column]!;
  const sign = isAscending ? 1 : -1;
  if (sortValue || kind === 'amount' || kind === 'count' || kind === 'percent') {
    const numberOf = sortValue ?? ((row: Row) => Number(value(row) || NaN));
    const numbers = new Map(rows.map((row) => [row, numberOf(row)]));
    const isKnown = (row: Row): boolean => !Number.isNaN(numbers.get(row));
    const known = rows.filter(isKnown);
    known.sort((one, other) => sign * (numbers.get(one)! - numbers.get(other)!));
    return [...known, ...rows.filter((row) => !isKnown(row))];
  }
  const compare = kind === 'date' ? compareCodes : collator.compare.bind(collator);
  return rows.toSorted((one, other) => sign * compare(value(one) ?? '', value(other) ?? ''));
}

const compareCodes = (one: string, other: string): number =>
  one === other ? 0 : one < other ? -1 : 1;
