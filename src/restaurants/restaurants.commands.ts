import { Injectable } from '@nestjs/common';
import { Argument, Option } from 'commander';
import { AdminCommand, type Change } from '../admin/admin-command.decorator.js';
import { formatTable, type CommandResult } from '../admin/command-result.js';
import { wholeNumber } from '../admin/values.js';
import { BusinessCalendar } from '../calendar/business-calendar.js';
import { closureOn, expectedHours } from '../calendar/expected-hours.js';
import { formatHours } from '../calendar/hour-set.js';
import type { Restaurant } from './restaurant.entity.js';
import { RestaurantsService } from './restaurants.service.js';

const OF_RESTAURANT = {
  subject: 'restaurant',
  arguments: [new Argument('<id>', 'the restaurant_id of its uploads').argParser(wholeNumber)],
} as const;

type NameChange = Change<{ name: string }>;

@Injectable()
export class RestaurantsCommands {
  constructor(
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  @AdminCommand({
    name: 'restaurant add',
    description: 'Add a restaurant',
    ...OF_RESTAURANT,
    options: [new Option('--name <name>', 'its name').makeOptionMandatory()],
  })
  async add(id: number, { name, transaction }: NameChange): Promise<CommandResult> {
    await this.restaurants.add({ id, name }, transaction);
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

  @AdminCommand({ name: 'restaurant list', description: 'List the restaurants', readOnly: true })
  async list(): Promise<CommandResult> {
    const today = this.calendar.today();
    const json = (await this.restaurants.list()).map((restaurant) => ({
      restaurant_id: restaurant.id,
      name: restaurant.name,
      status: statusOn(restaurant, today),
      created_at: restaurant.createdAt,
    }));
    const rows = json.map(({ restaurant_id, name, status }) => [restaurant_id, name, status]);
    return { text: formatTable(['ID', 'NAME', 'TODAY'], rows), json };
  }
}

/** Says what holds for a restaurant on a date. */
function statusOn(restaurant: Restaurant, date: string): string {
  if (date < restaurant.firstDay) return `opens ${restaurant.firstDay}`;
  const closure = closureOn(restaurant, date);
  if (closure) {
    const until =
      closure.lastDay === null ? `since ${closure.firstDay}` : `until ${closure.lastDay}`;
    return `closed ${until}${closure.reason === null ? '' : `: ${closure.reason}`}`;
  }
  return formatHours(expectedHours(restaurant, date)) || 'day off';
}
