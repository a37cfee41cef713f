import { Injectable } from '@nestjs/common';
import { AdminCommand } from '../admin/admin-command.decorator.js';
import { Table, type Answer } from '../admin/answer.js';
import { wholeNumber } from '../admin/values.js';
import { RestaurantsService } from './restaurants.service.js';

/** The restaurants, on the administrator's command line. */
@Injectable()
export class RestaurantsCommands {
  constructor(private readonly restaurants: RestaurantsService) {}

  @AdminCommand({
    name: 'restaurant add',
    description: 'Make a restaurant',
    arguments: [{ syntax: '<id>', description: 'its number, which uploads name it by', parse: wholeNumber }],
    options: [{ syntax: '--name <name>', description: 'its name, which people know it by', required: true }],
  })
  async add(id: number, { name }: { name: string }): Promise<Answer> {
    await this.restaurants.add(id, name);
    return { text: `restaurant ${id} (${name}) added`, json: { restaurant_id: id, name } };
  }

  @AdminCommand({ name: 'restaurant list', description: 'List the restaurants' })
  async list(): Promise<Answer> {
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
