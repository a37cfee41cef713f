import { Argument, Option } from 'commander';
import { UsageError } from '../admin/admin.errors.js';
import { readNumbers } from '../admin/csv-table.js';
import { wholeNumber, wholeNumbers } from '../admin/values.js';
import type { Restaurant } from './restaurant.entity.js';

/** Declares the subject of a command of one restaurant. */
export const ONE_RESTAURANT = {
  subject: 'restaurant',
  arguments: [new Argument('<id>', 'the restaurant_id of its uploads').argParser(wholeNumber)],
} as const;

/** Declares the subjects of a command of some restaurants, together with SELECTION_OPTIONS. */
export const SOME_RESTAURANTS = {
  subject: 'restaurant',
  arguments: [new Argument('[ids...]', 'the restaurant_id of each').argParser(wholeNumbers)],
} as const;

export const SELECTION_OPTIONS = [
  new Option('--ids-file <file>', 'those whose ids are in a file, one on each line'),
  new Option('--all', 'all restaurants'),
];

export interface SelectionOptions {
  readonly all?: boolean;
  readonly idsFile?: string;
}

/** Returns which restaurants a command is about, given in exactly one of the three ways. */
export async function selectionOf(
  ids: readonly number[],
  { all = false, idsFile }: SelectionOptions,
): Promise<readonly number[] | 'all'> {
  const ways = [ids.length > 0, all, idsFile !== undefined];
  if (ways.filter(Boolean).length !== 1)
    throw new UsageError('name restaurants, or give --ids-file or --all');
  if (all) return 'all';
  return idsFile === undefined ? ids : readNumbers(idsFile, 'restaurant_id');
}

/** Names a restaurant in texts. */
export function titleOf({ id, name }: Pick<Restaurant, 'id' | 'name'>): string {
  return `restaurant ${id} (${name})`;
}

/** Names a restaurant in the audit log. */
export function subjectOf({ id }: Pick<Restaurant, 'id'>): string {
  return `restaurant:${id}`;
}
