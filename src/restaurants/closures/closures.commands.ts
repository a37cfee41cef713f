import { Injectable } from '@nestjs/common';
import { Argument, Option } from 'commander';
import { UsageError } from '../../admin/admin.errors.js';
import { AdminCommand, type Change } from '../../admin/admin-command.decorator.js';
import type { CommandResult } from '../../admin/command-result.js';
import { day, wholeNumber } from '../../admin/values.js';
import type { Closure } from '../../calendar/expected-hours.js';
import { daysOf } from '../../calendar/schedule-texts.js';
import { type ClosuresChange, ClosuresService } from './closures.service.js';

const OF_ONE_OR_ALL = {
  subject: 'restaurant',
  arguments: [new Argument('[id]', 'the restaurant_id of its uploads').argParser(wholeNumber)],
} as const;

const ALL = new Option('--all', 'all restaurants');

const MAX_LISTED_IDS = 10;

type Range = Change<{ readonly all?: boolean; readonly from: string; readonly to?: string }>;

/** Commands for days on which restaurants are closed. */
@Injectable()
export class ClosuresCommands {
  constructor(private readonly closures: ClosuresService) {}

  @AdminCommand({
    name: 'restaurant close',
    description:
      'Reject uploads of some days and stop reporting them as missing; nothing is deleted',
    ...OF_ONE_OR_ALL,
    options: [
      ALL,
      new Option('--from <date>', 'first closed day, YYYY-MM-DD')
        .argParser(day)
        .makeOptionMandatory(),
      new Option('--to <date>', 'last closed day (default: until further notice)').argParser(day),
      new Option('--reason <text>', 'why, for whoever uploads or misses the figures'),
    ],
  })
  async close(
    id: number | undefined,
    { all, from, to, reason, transaction }: Range & { readonly reason?: string },
  ): Promise<CommandResult> {
    const closure = { firstDay: from, lastDay: to ?? null, reason: reason ?? null };
    const results = await this.closures.close(oneOrAll(id, all), closure, transaction);
    return describe(results, id === undefined, 'closed', closure);
  }

  @AdminCommand({
    name: 'restaurant reopen',
    description: 'Accept uploads of closed days again; without --to, to the end of the closure',
    ...OF_ONE_OR_ALL,
    options: [
      ALL,
      new Option('--from <date>', 'first open day, YYYY-MM-DD (default: today)').argParser(day),
      new Option('--to <date>', 'last open day').argParser(day),
    ],
  })
  async reopen(
    id: number | undefined,
    { all, from, to, transaction }: Partial<Range> & Pick<Range, 'transaction'>,
  ): Promise<CommandResult> {
    const results = await this.closures.reopen(oneOrAll(id, all), { from, to }, transaction);
    return describe(results, id === undefined, 'open');
  }
}

function oneOrAll(id: number | undefined, all = false): number | 'all' {
  if ((id === undefined) !== all) throw new UsageError('name one restaurant, or give --all');
  return id ?? 'all';
}

/** Describes what became of one restaurant, or of all. */
function describe(
  results: readonly ClosuresChange[],
  ofAll: boolean,
  state: 'open' | 'closed',
  given?: Closure,
): CommandResult {
  const json = results.map(({ restaurant: { id, name }, days, isChanged }) => ({
    restaurant_id: id,
    name,
    status: state,
    changed: isChanged,
    first_day: days.firstDay,
    last_day: days.lastDay,
    reason: days.reason,
  }));
  if (!ofAll) {
    const [{ restaurant, days, isChanged }] = results as [ClosuresChange];
    const already = isChanged ? '' : ' already';
    const text = `restaurant ${restaurant.id} (${restaurant.name}) is ${state}${already} ${daysOf(days)}`;
    return { text, json: json[0] };
  }
  const changed = results.filter(({ isChanged }) => isChanged);
  const others = results
    .filter(({ isChanged }) => !isChanged)
    .map(({ restaurant }) => restaurant.id);
  const days = given ? ` ${daysOf(given)}` : '';
  const lines = [`${count(changed.length)} ${state}${days}`];
  if (others.length > 0) lines.push(`${state} before: ${listIds(others)}`);
  const changes = changed.map(({ restaurant, days: { firstDay, lastDay } }) => {
    const details = { first_day: firstDay, last_day: lastDay };
    return { subject: `restaurant:${restaurant.id}`, details };
  });
  return { text: lines.join('; '), json, changes };
}

function count(restaurants: number): string {
  return restaurants === 1 ? '1 restaurant is' : `${restaurants} restaurants are`;
}

function listIds(ids: readonly number[]): string {
  return ids.length > MAX_LISTED_IDS ? `${ids.length} restaurants` : ids.join(', ');
}
