import { Injectable } from '@nestjs/common';
import { Argument, Option } from 'commander';
import { AdminCommand, type Change } from '../admin/admin-command.decorator.js';
import { formatTable, type CommandResult } from '../admin/command-result.js';
import { day, wholeNumber } from '../admin/values.js';
import { RestaurantsService } from './restaurants.service.js';

const OF_RESTAURANT = {
  subject: 'restaurant',
  arguments: [new Argument('<id>', 'the restaurant_id of its uploads').argParser(wholeNumber)],
} as const;

type NameChange = Change<{ name: string }>;

@Injectable()
export class RestaurantsCommands {
  constructor(private readonly restaurants: RestaurantsService) {}

  @AdminCommand({
    name: 'restaurant add',
    description: 'Add a restaurant',
    ...OF_RESTAURANT,
    options: [new Option('--name <name>', 'its name').makeOptionMandatory()],
  })
  async add(id: number, { name, transaction }: NameChange): Promise<CommandResult> {
    await this.restaurants.add(id, name, transaction);
    return { text: `restaurant ${id} (${name}) added`, json: { restaurant_id: id, name } };
  }

  @AdminCommand({
    name: 'restaurant rename',
    description: 'Rename a restaurant; its id and its data stay',
    ...OF_RESTAURANT,
    options: [new Option('--name <name>', 'the new name').makeOptionMandatory()],
  })
  async rename(id: number, { name, transaction }: NameChange): Promise<CommandResult> {
    const before = await this.restaurants.rename(id, name, transaction);
    const text = `restaurant ${id} (${before.name}) is now called ${name}`;
    return { text, json: { restaurant_id: id, name, name_before: before.name } };
  }

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
    const { name, closed } = await this.restaurants.close(id, from, transaction);
    const status = restaurantStatus(closed);
    const text = `restaurant ${id} (${name}) is ${status}`;
    return { text, json: { restaurant_id: id, name, status } };
  }

  @AdminCommand({
    name: 'restaurant reopen',
    description: 'Accept uploads again from a date on; closed days before it stay closed',
    ...OF_RESTAURANT,
    options: [
      new Option('--from <date>', 'the first open day, YYYY-MM-DD (default: today)').argParser(day),
    ],
  })
  async reopen(id: number, options: Change<{ from?: string }>): Promise<CommandResult> {
    const reopened = await this.restaurants.reopen(id, options.from, options.transaction);
    const { restaurant, from } = reopened;
    const text = `restaurant ${id} (${restaurant.name}) is open from ${from}`;
    return { text, json: { restaurant_id: id, name: restaurant.name, status: 'open', from } };
  }

  @AdminCommand({ name: 'restaurant list', description: 'List the restaurants', readOnly: true })
  async list(): Promise<CommandResult> {
    const json = (await this.restaurants.list()).map(({ id, name, closed, createdAt }) => {
      return { restaurant_id: id, name, status: restaurantStatus(closed), created_at: createdAt };
    });
    const rows = json.map(({ restaurant_id, name, status }) => [restaurant_id, name, status]);
    return { text: formatTable(['ID', 'NAME', 'STATUS'], rows), json };
  }
}

/** Describes whether a restaurant is open; only a closure without an end counts. */
function restaurantStatus(closed: string): string {
  const from = /\[([\d-]+),\)\}$/.exec(closed)?.[1];
  return from === undefined ? 'open' : `closed from ${from}`;
}
