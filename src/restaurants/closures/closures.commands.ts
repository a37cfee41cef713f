import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { AdminCommand, type Change } from '../../admin/admin-command.decorator.js';
import type { CommandResult } from '../../admin/command-result.js';
import { day } from '../../admin/values.js';
import { type Closure, daysOf } from '../../calendar/expected-hours.js';
import {
  SELECTION_OPTIONS,
  selectionOf,
  type SelectionOptions,
  SOME_RESTAURANTS,
  subjectOf,
  titleOf,
} from '../restaurants-selection.js';
import { type ClosuresChange, ClosuresService } from './closures.service.js';

const MAX_LISTED_IDS = 10;

type Range = Change<SelectionOptions & { readonly from: string; readonly to?: string }>;

/** Commands for days on which restaurants are closed. */
@Injectable()
export class ClosuresCommands {
  constructor(private readonly closures: ClosuresService) {}

  @AdminCommand({
    name: 'restaurant close',
    description:
      'Reject sales of some evenings and stop reporting them as missing; nothing is deleted',
    ...SOME_RESTAURANTS,
    options: [
      ...SELECTION_OPTIONS,
      new Option('--from <date>', 'first closed day, YYYY-MM-DD')
        .argParser(day)
        .makeOptionMandatory(),
      new Option('--to <date>', 'last closed day (default: until further notice)').argParser(day),
      new Option('--reason <text>', 'why, for whoever uploads or misses the figures'),
    ],
  })
  async close(
    ids: number[],
    { from, to, reason, transaction, ...given }: Range & { readonly reason?: string },
  ): Promise<CommandResult> {
    const closure = { firstDay: from, lastDay: to ?? null, reason: reason ?? null };
    const selection = await selectionOf(ids, given);
    const changes = await this.closures.close(selection, closure, transaction);
    return describe(changes, ids, 'closed', closure);
  }

  @AdminCommand({
    name: 'restaurant reopen',
    description: 'Accept uploads of closed days again; without --to, to the end of the closure',
    ...SOME_RESTAURANTS,
    options: [
      ...SELECTION_OPTIONS,
      new Option('--from <date>', 'first open day, YYYY-MM-DD (default: today)').argParser(day),
      new Option('--to <date>', 'last open day').argParser(day),
    ],
  })
  async reopen(
    ids: number[],
    { from, to, transaction, ...given }: Partial<Range> & Pick<Range, 'transaction'>,
  ): Promise<CommandResult> {
    const selection = await selectionOf(ids, given);
    const changes = await this.closures.reopen(selection, { from, to }, transaction);
    return describe(changes, ids, 'open');
  }
}

/** Describes what became of the one restaurant that was named, or of several. */
function describe(
  results: readonly ClosuresChange[],
  named: readonly number[],
  state: 'open' | 'closed',
  given?: Closure,
): CommandResult {
  const json = results.map(({ restaurant: { id, name }, days, isChanged }) => ({
    ...{ restaurant_id: id, name, status: state, changed: isChanged },
    ...{ first_day: days.firstDay, last_day: days.lastDay, reason: days.reason },
  }));
  const changed = results.filter(({ isChanged }) => isChanged);
  const changes = changed.map(({ restaurant, days: { firstDay, lastDay } }) => {
    return { subject: subjectOf(restaurant), details: { first_day: firstDay, last_day: lastDay } };
  });
  const [one] = results;
  if (named.length === 1 && one) {
    const already = one.isChanged ? '' : ' already';
    const text = `${titleOf(one.restaurant)} is ${state}${already} ${daysOf(one.days)}`;
    return { text, json: json[0], changes };
  }
  const others = results.filter(({ isChanged }) => !isChanged);
  const before = others.map(({ restaurant: { id } }) => id);
  const lines = [`${count(changed.length)} ${state}${given ? ` ${daysOf(given)}` : ''}`];
  if (before.length > 0) lines.push(`${state} before: ${listIds(before)}`);
  return { text: lines.join('; '), json, changes };
}

function count(restaurants: number): string {
  return restaurants === 1 ? '1 restaurant is' : `${restaurants} restaurants are`;
}

function listIds(ids: readonly number[]): string {
  return ids.length > MAX_LISTED_IDS ? `${ids.length} restaurants` : ids.join(', ');
}
