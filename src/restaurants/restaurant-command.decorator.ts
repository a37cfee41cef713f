import { Argument, Option } from 'commander';
import { UsageError } from '../admin/admin.errors.js';
import { AdminCommand, type CommandOptions } from '../admin/admin-command.decorator.js';
import { forEachRow } from '../admin/csv-table.js';
import { wholeNumber, wholeNumbers } from '../admin/values.js';
import type { Selection } from './restaurants.service.js';

const ID = new Argument('<id>', 'the restaurant_id of its uploads').argParser(wholeNumber);
const IDS = new Argument('[ids...]', 'the restaurant_id of each').argParser(wholeNumbers);

const SELECTION = [
  new Option('--ids-file <file>', 'those of a CSV file with the column restaurant_id'),
  new Option('--all', 'all restaurants'),
];

/** The options of a command of several restaurants. */
export interface SelectionOptions {
  readonly all?: boolean;
  readonly idsFile?: string;
}

/** Declares a command whose first argument is a restaurant. */
export function RestaurantCommand(name: string, description: string, options?: CommandOptions) {
  const subject = { argument: ID, prefix: 'restaurant:' };
  return AdminCommand(name, description, { subject, ...options });
}

/** Declares a command whose arguments are restaurants, all or none of which it changes. */
export function RestaurantsCommand(name: string, description: string, options: CommandOptions) {
  const subject = { argument: IDS, prefix: 'restaurant:' };
  const all = [...SELECTION, ...options.options!];
  return AdminCommand(name, description, { subject, ...options, options: all });
}

/** What the audit log says of a restaurant. */
export function eventOf(id: number, details: object) {
  return { subject: `restaurant:${id}`, details };
}

/** Returns which restaurants a command is about, given in exactly one of the three ways. */
export async function selectionOf(
  ids: readonly number[],
  { all = false, idsFile }: SelectionOptions,
): Promise<Selection> {
  const ways = [ids.length > 0, all, idsFile !== undefined];
  if (ways.filter(Boolean).length !== 1)
    throw new UsageError('name restaurants, or give --ids-file or --all');
  if (all) return 'all';
  return idsFile === undefined ? ids : readIds(idsFile);
}

async function readIds(file: string): Promise<number[]> {
  const ids: number[] = [];
  const columns = { required: { restaurant_id: wholeNumber }, optional: {} };
  await forEachRow(file, columns, ({ restaurant_id: id }) => ids.push(id));
  return ids;
}
