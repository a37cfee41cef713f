import { Injectable } from '@nestjs/common';
import { AdminCommand } from '../admin/admin-command.decorator.js';
import { Table, type CommandResult } from '../admin/command-result.js';
import { day, wholeNumber } from '../admin/values.js';
import { RestaurantsService } from './restaurants.service.js';

const ID = { syntax: '<id>', description: 'its number, which uploads name it by', parse: wholeNumber };

/** The restaurants, on the administrator's command line. */
@Injectable()
export class RestaurantsCommands {
  constructor(private readonly restaurants: RestaurantsService) {}

  @AdminCommand({
    name: 'restaurant add',
    description: 'Make a restaurant',
    arguments: [ID],
    options: [{ syntax: '--name <name>', description: 'its name, which people know it by', required: true }],
  })
  async add(id: number, { name }: { name: string }): Promise<CommandResult> {
    await this.restaurants.add(id, name);
    return { text: `restaurant ${id} (${name}) added`, json: { restaurant_id: id, name } };
  }

  @AdminCommand({
    name: 'restaurant rename',
    description: 'Give a restaurant another name; its number and its figures stay',
    arguments: [ID],
    options: [{ syntax: '--name <name>', description: 'the new name', required: true }],
  })
  async rename(id: number, { name }: { name: string }): Promise<CommandResult> {
    const before = await this.restaurants.rename(id, name);
    const text = `restaurant ${id} (${before.name}) is now called ${name}`;
    return { text, json: { restaurant_id: id, name, name_before: before.name } };
  }

  @AdminCommand({
    name: 'restaurant close',
    description: 'Take no uploads for the days from one on, which then are not missing; nothing is deleted',
    arguments: [ID],
    options: [{ syntax: '--from <date>', description: 'the first closed day, YYYY-MM-DD', required: true, parse: day }],
  })
  async close(id: number, { from }: { from: string }): Promise<CommandResult> {
    const { name, closed } = await this.restaurants.close(id, from);
    return {
      text: `restaurant ${id} (${name}) is ${statusOf(closed)}`,
      json: { restaurant_id: id, name, status: statusOf(closed) },
    };
  }

  @AdminCommand({
    name: 'restaurant reopen',
    description: 'Take uploads again for the days from one on; days closed before it stay closed',
    arguments: [ID],
    options: [{ syntax: '--from <date>', description: 'the first open day, YYYY-MM-DD; today without it', parse: day }],
  })
  async reopen(id: number, { from: asked }: { from?: string }): Promise<CommandResult> {
    const { restaurant, from } = await this.restaurants.reopen(id, asked);
    const text = `restaurant ${id} (${restaurant.name}) is open from ${from}`;
    return { text, json: { restaurant_id: id, name: restaurant.name, status: 'open', from } };
  }

  @AdminCommand({ name: 'restaurant list', description: 'List the restaurants' })
  async list(): Promise<CommandResult> {
    const restaurants = await this.restaurants.list();
    return {
      text: new Table(
        ['ID', 'NAME', 'STATUS'],
        restaurants.map(({ id, name, closed }) => [id, name, statusOf(closed)]),
      ),
      json: restaurants.map(({ id, name, closed, createdAt }) => ({
        restaurant_id: id,
        name,
        status: statusOf(closed),
        created_at: createdAt,
      })),
    };
  }
}

/** A closure without an end is what an administrator has to know; one in the past is history. */
function statusOf(closed: string): string {
  const from = /\[([\d-]+),\)\}$/.exec(closed)?.[1];
  return from === undefined ? 'open' : `closed from ${from}`;
}
