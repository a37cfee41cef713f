import { Injectable } from '@nestjs/common';
import { Argument, Option } from 'commander';
import { AdminCommand, type Change } from '../../admin/admin-command.decorator.js';
import type { CommandResult } from '../../admin/command-result.js';
import { day, wholeNumber } from '../../admin/values.js';
import { ClosuresService } from './closures.service.js';

const OF_RESTAURANT = {
  subject: 'restaurant',
  arguments: [new Argument('<id>', 'the restaurant_id of its uploads').argParser(wholeNumber)],
} as const;

@Injectable()
export class ClosuresCommands {
  constructor(private readonly closures: ClosuresService) {}

  @AdminCommand({
    name: 'restaurant close',
    description:
      'Reject uploads from a date on and stop reporting those days as missing; nothing is deleted',
    ...OF_RESTAURANT,
    options: [
      new Option('--from <date>', 'first closed day, YYYY-MM-DD')
        .argParser(day)
        .makeOptionMandatory(),
    ],
  })
  async close(id: number, { from, transaction }: Change<{ from: string }>): Promise<CommandResult> {
    const closure = { firstDay: from, lastDay: null, reason: null };
    const [closed] = await this.closures.close(id, closure, transaction);
    const { restaurant, days } = closed!;
    const status = `closed from ${days.firstDay}`;
    const text = `restaurant ${id} (${restaurant.name}) is ${status}`;
    return { text, json: { restaurant_id: id, name: restaurant.name, status } };
  }

  @AdminCommand({
    name: 'restaurant reopen',
    description: 'Accept uploads again from a date on; closed days before it stay closed',
    ...OF_RESTAURANT,
    options: [
      new Option('--from <date>', 'the first open day, YYYY-MM-DD (default: today)').argParser(day),
    ],
  })
  async reopen(
    id: number,
    { from: given, transaction }: Change<{ from?: string }>,
  ): Promise<CommandResult> {
    const range = given === undefined ? {} : { from: given };
    const [reopened] = await this.closures.reopen(id, range, transaction);
    const { restaurant, days } = reopened!;
    const from = days.firstDay;
    const text = `restaurant ${id} (${restaurant.name}) is open from ${from}`;
    return { text, json: { restaurant_id: id, name: restaurant.name, status: 'open', from } };
  }
}
