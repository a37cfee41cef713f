import { Injectable } from '@nestjs/common';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { CommandRejected } from '../admin/admin.errors.js';
import { AdminCommand, type Change } from '../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../admin/command-result.js';
import { day, wholeNumber } from '../admin/values.js';
import { BusinessCalendar } from '../calendar/business-calendar.js';
import {
  formatHours,
  formatWeek,
  HOURS_FORM,
  parseHours,
  parseWeekdays,
} from '../calendar/hour-set.js';
import { statusOn } from '../calendar/schedule-texts.js';
import { describeRestaurant } from './describe-restaurant.js';
import type { Restaurant } from './restaurant.entity.js';
import { everyDay, RestaurantsService } from './restaurants.service.js';
import { readRestaurantsFile } from './restaurants-file.js';

const OF_RESTAURANT = {
  subject: 'restaurant',
  arguments: [new Argument('<id>', 'the restaurant_id of its uploads').argParser(wholeNumber)],
} as const;

const EVERY_WEEKDAY = [1, 2, 3, 4, 5, 6, 7];

type Hours = Change<{ readonly hours: number; readonly on?: readonly number[] }>;
type NameChange = Change<{ readonly name: string }>;
type New = NameChange & { readonly firstDay?: string; readonly hours?: number };

@Injectable()
export class RestaurantsCommands {
  constructor(
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  @AdminCommand({
    name: 'restaurant add',
    description: 'Add a restaurant; uploads are accepted for any day and hour all the same',
    ...OF_RESTAURANT,
    options: [
      new Option('--name <name>', 'its name').makeOptionMandatory(),
      new Option(
        '--first-day <date>',
        'the day from which on it is expected to send, YYYY-MM-DD (default: today)',
      ).argParser(day),
      new Option('--hours <hours>', `the hours that it is expected to send: ${HOURS_FORM}`)
        .argParser(hours)
        .default(undefined, 'all'),
    ],
  })
  async add(id: number, { name, firstDay, hours, transaction }: New): Promise<CommandResult> {
    const weeklyHours = hours === undefined ? undefined : everyDay(hours);
    const added = await this.restaurants.add({ id, name, firstDay, weeklyHours }, transaction);
    return {
      text: `restaurant ${id} (${name}) added; it is expected to send from ${added.firstDay} on`,
      json: this.describe(added),
    };
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
    name: 'restaurant first-day',
    description:
      'Set the day from which on a restaurant is expected to send; no upload is rejected',
    subject: 'restaurant',
    arguments: [...OF_RESTAURANT.arguments, new Argument('<date>', 'YYYY-MM-DD').argParser(day)],
  })
  async firstDay(id: number, date: string, { transaction }: Change): Promise<CommandResult> {
    const { name, firstDay } = await this.restaurants.setFirstDay(id, date, transaction);
    return {
      text: `restaurant ${id} (${name}) is expected to send from ${date} on, before from ${firstDay}`,
      json: { restaurant_id: id, name, first_day: date, first_day_before: firstDay },
    };
  }

  @AdminCommand({
    name: 'restaurant hours',
    description: 'Set the hours that restaurants are expected to send; no upload is rejected',
    subject: 'restaurant',
    arguments: [
      new Argument('<ids...>', 'the restaurant_id of each').argParser(
        (text, earlier?: number[]) => [...(earlier ?? []), wholeNumber(text)],
      ),
    ],
    options: [
      new Option('--hours <hours>', HOURS_FORM).argParser(hours).makeOptionMandatory(),
      new Option('--on <weekdays>', 'such as fri,sat (default: every day)').argParser(weekdays),
    ],
  })
  async hours(
    ids: number[],
    { hours, on: weekdays = EVERY_WEEKDAY, transaction }: Hours,
  ): Promise<CommandResult> {
    const changed = await this.restaurants.setHours(ids, { hours, weekdays }, transaction);
    const lines = changed.map(({ id, name, weeklyHours }) => {
      return `restaurant ${id} (${name}) is expected to send: ${formatWeek(weeklyHours)}`;
    });
    const json = changed.map(({ id, name, weeklyHours }) => {
      return { restaurant_id: id, name, weekly_hours: weeklyHours.map(formatHours) };
    });
    const changes = changed.map(({ id }) => ({ subject: `restaurant:${id}` }));
    return { text: lines.join('\n'), json, ...(ids.length > 1 && { changes }) };
  }

  @AdminCommand({
    name: 'restaurant list',
    description: 'List the restaurants, and what holds for each today',
    readOnly: true,
  })
  async list(): Promise<CommandResult> {
    const restaurants = await this.restaurants.list();
    const today = this.calendar.today();
    const rows = restaurants.map((each) => [each.id, each.name, statusOn(each, today)]);
    return {
      text: formatTable(['ID', 'NAME', 'TODAY'], rows),
      json: restaurants.map((restaurant) => this.describe(restaurant)),
    };
  }

  @AdminCommand({
    name: 'restaurant import',
    description:
      'Add the restaurants of a CSV file, all or none; its first line names the columns ' +
      'restaurant_id, name, and optionally first_day, hours',
    changesMany: true,
    arguments: [new Argument('<file>', 'the file, in UTF-8')],
    options: [new Option('--dry-run', 'check everything and save nothing')],
  })
  async import(
    file: string,
    { dryRun = false, transaction }: Change<{ dryRun?: boolean }>,
  ): Promise<CommandResult> {
    const present = await this.restaurants.list(transaction);
    const added = await readRestaurantsFile(file, new Set(present.map(({ id }) => id)));
    const count = `${added.length} restaurant${added.length === 1 ? '' : 's'}`;
    const json = { dry_run: dryRun, restaurant_ids: added.map(({ id }) => id) };
    if (dryRun) return { text: `${count} would be added; nothing was saved`, json };
    const [taken] = await this.restaurants.addAll(added, transaction);
    if (taken !== undefined)
      throw new CommandRejected(`restaurant ${taken} was added by somebody else: start again`);
    const changes = added.map(({ id, name }) => ({
      subject: `restaurant:${id}`,
      details: { name },
    }));
    return { text: `${count} added`, json, changes };
  }

  private describe(restaurant: Restaurant) {
    const today = this.calendar.today();
    return Object.assign(describeRestaurant(restaurant, today), {
      today: statusOn(restaurant, today),
      created_at: restaurant.createdAt,
    });
  }
}

function hours(text: string): number {
  const set = parseHours(text);
  if (set === undefined) throw new InvalidArgumentError(`They are ${HOURS_FORM}.`);
  return set;
}

function weekdays(text: string): readonly number[] {
  const days = parseWeekdays(text);
  if (!days) throw new InvalidArgumentError('They are some of mon,tue,wed,thu,fri,sat,sun.');
  return days;
}
