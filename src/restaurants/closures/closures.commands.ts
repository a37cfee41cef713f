import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import type { Change } from '../../admin/admin-command.decorator.js';
import type { CommandResult } from '../../admin/command-result.js';
import { day } from '../../admin/values.js';
import { daysOf } from '../../calendar/expected-hours.js';
import {
  eventOf,
  RestaurantsCommand,
  selectionOf,
  type SelectionOptions,
} from '../restaurant-command.decorator.js';
import { titleOf } from '../restaurants.service.js';
import { type ClosuresChange, ClosuresService } from './closures.service.js';

type Range = Change<SelectionOptions & { readonly from: string; readonly to?: string }>;

/** Commands for days on which restaurants are closed. */
@Injectable()
export class ClosuresCommands {
  constructor(private readonly closures: ClosuresService) {}

  @RestaurantsCommand('restaurant close', 'Reject sales of some evenings; nothing is deleted', {
    options: [
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
    return describe(changes, 'closed');
  }

  @RestaurantsCommand('restaurant reopen', 'Accept uploads of closed days again', {
    options: [
      new Option('--from <date>', 'first open day, YYYY-MM-DD (default: today)').argParser(day),
      new Option('--to <date>', 'last open day (default: the end of the closure)').argParser(day),
    ],
  })
  async reopen(
    ids: number[],
    { from, to, transaction, ...given }: Partial<Range> & Pick<Range, 'transaction'>,
  ): Promise<CommandResult> {
    const selection = await selectionOf(ids, given);
    const changes = await this.closures.reopen(selection, { from, to }, transaction);
    return describe(changes, 'open');
  }
}

/** Says which restaurants are in a state now, and which were in it before. */
function describe(results: readonly ClosuresChange[], state: 'open' | 'closed'): CommandResult {
  const lines = results.map(({ restaurant, days, isChanged }) => {
    return `${titleOf(restaurant)} is ${state}${isChanged ? '' : ' already'} ${daysOf(days)}`;
  });
  const changed = results.filter(({ isChanged }) => isChanged);
  return {
    text: lines.join('\n'),
    json: results.map(({ restaurant: { id, name }, days, isChanged }) => ({
      ...{ restaurant_id: id, name, status: state, changed: isChanged },
      ...{ first_day: days.firstDay, last_day: days.lastDay, reason: days.reason },
    })),
    changes: changed.map(({ restaurant: { id }, days: { firstDay, lastDay } }) =>
      eventOf(id, { first_day: firstDay, last_day: lastDay }),
    ),
  };
}
