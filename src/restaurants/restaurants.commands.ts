import { Injectable } from '@nestjs/common';
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { EntityManager } from 'typeorm';
import { CommandRejected, UsageError } from '../admin/admin.errors.js';
import { AdminCommand, type Change } from '../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../admin/command-result.js';
import { forEachRow } from '../admin/csv-table.js';
import { day, wholeNumber } from '../admin/values.js';
import { withEvening } from '../calendar/expected-hours.js';
import {
  type Evening,
  EVENING_FORM,
  formatWeek,
  parseEvening,
  parseWeekdays,
  WEEKDAYS,
} from '../calendar/hour-set.js';
import type { Restaurant } from './restaurant.entity.js';
import {
  eventOf,
  RestaurantCommand,
  RestaurantsCommand,
  selectionOf,
  type SelectionOptions,
} from './restaurant-command.decorator.js';
import {
  type ChangedRestaurant,
  type RestaurantChanges,
  RestaurantsService,
  type Selection,
  titleOf,
} from './restaurants.service.js';

const NEW = {
  required: { restaurant_id: wholeNumber, name: String },
  optional: { first_day: day, hours: everyDay },
};
const CHANGES = {
  required: { restaurant_id: wholeNumber },
  optional: { ...NEW.optional, name: String },
};

type Hours = Change<SelectionOptions & { readonly hours: Evening; readonly on?: number[] }>;
type Name = Change<{ readonly name: string }>;
type New = Name & { readonly firstDay?: string; readonly hours?: number[] };
type FirstDay = Change<{ readonly all?: boolean; readonly notBefore?: string }>;
type Import = Change<{ readonly update?: boolean }>;

@Injectable()
export class RestaurantsCommands {
  constructor(private readonly restaurants: RestaurantsService) {}

  @RestaurantCommand('restaurant add', 'Add a restaurant; it may upload any day and hour', {
    options: [
      new Option('--name <name>', 'its name').makeOptionMandatory(),
      new Option('--first-day <date>', 'the first day that is expected (default: today)').argParser(
        day,
      ),
      new Option('--hours <hours>', `the hours that are expected: ${EVENING_FORM}`)
        .argParser(everyDay)
        .default(undefined, 'all'),
    ],
  })
  async add(id: number, { name, firstDay, hours, transaction }: New): Promise<CommandResult> {
    const restaurant = { id, name, firstDay, weeklyHours: hours };
    return this.describeAdded([await this.restaurants.add(restaurant, transaction)], transaction);
  }

  @RestaurantCommand('restaurant rename', 'Rename a restaurant; its id and its data stay', {
    options: [new Option('--name <name>', 'the new name').makeOptionMandatory()],
  })
  rename(id: number, { name, transaction }: Name): Promise<CommandResult> {
    return this.change([id], () => ({ name }), transaction);
  }

  @RestaurantCommand('restaurant first-day', 'Set from which day on restaurants should send', {
    subject: {
      argument: new Argument('[id]', 'the restaurant_id of its uploads').argParser(wholeNumber),
      prefix: 'restaurant:',
    },
    arguments: [new Argument('[date]', 'YYYY-MM-DD').argParser(day)],
    options: [
      new Option('--all', 'all restaurants whose first day is earlier than that of --not-before'),
      new Option('--not-before <date>', 'the first day of those with --all').argParser(day),
    ],
  })
  async firstDay(
    id: number | undefined,
    date: string | undefined,
    { all = false, notBefore, transaction }: FirstDay,
  ): Promise<CommandResult> {
    if (id !== undefined && date !== undefined && !all && notBefore === undefined)
      return this.change([id], () => ({ firstDay: date }), transaction);
    if (id !== undefined || !all || notBefore === undefined)
      throw new UsageError('give an id and a date, or --all and --not-before');
    const later = ({ firstDay }: Restaurant) =>
      firstDay < notBefore ? { firstDay: notBefore } : {};
    return this.change('all', later, transaction);
  }

  @RestaurantsCommand('restaurant hours', 'Set the hours that restaurants should send', {
    options: [
      new Option('--hours <hours>', EVENING_FORM).argParser(evening).makeOptionMandatory(),
      new Option('--on <days>', 'evenings such as fri,sat (default: all)').argParser(weekdays),
    ],
  })
  async hours(
    ids: number[],
    { hours, on: weekdays = WEEKDAYS, transaction, ...given }: Hours,
  ): Promise<CommandResult> {
    return this.change(
      await selectionOf(ids, given),
      (restaurant) => ({ weeklyHours: withEvening(restaurant, hours, weekdays) }),
      transaction,
    );
  }

  @AdminCommand('restaurant list', 'List the restaurants, and what holds for each today', {
    readOnly: true,
  })
  async list(): Promise<CommandResult> {
    const json = (await this.restaurants.list()).map((each) => this.restaurants.describe(each));
    const rows = json.map(({ restaurant_id, name, today }) => [restaurant_id, name, today]);
    return { text: formatTable(['ID', 'NAME', 'TODAY'], rows), json };
  }

  @AdminCommand('restaurant import', 'Add the restaurants of a CSV file, all or none', {
    arguments: [new Argument('<file>', 'restaurant_id,name[,first_day][,hours] in UTF-8')],
    options: [
      new Option('--update', 'change restaurants that are there; an empty cell changes nothing'),
    ],
    dryRun: true,
  })
  import(file: string, { update = false, transaction }: Import): Promise<CommandResult> {
    return update ? this.updateAll(file, transaction) : this.addAll(file, transaction);
  }

  private async addAll(file: string, transaction: EntityManager): Promise<CommandResult> {
    const added: Restaurant[] = [];
    await forEachRow(file, NEW, async ({ restaurant_id: id, name, ...given }) => {
      const restaurant = { id, name, firstDay: given.first_day, weeklyHours: given.hours };
      added.push(await this.restaurants.add(restaurant, transaction));
    });
    return this.describeAdded(added, transaction);
  }

  private async updateAll(file: string, transaction: EntityManager): Promise<CommandResult> {
    const changes: ChangedRestaurant[] = [];
    await forEachRow(file, CHANGES, async ({ restaurant_id: id, name, ...given }) => {
      if (changes.some(({ restaurant }) => restaurant.id === id))
        throw new CommandRejected(`restaurant ${id} is in an earlier line too`);
      const change = { name, firstDay: given.first_day, weeklyHours: given.hours };
      changes.push(...(await this.restaurants.change([id], () => change, transaction)));
    });
    return this.describeChanges(changes, transaction);
  }

  private async describeAdded(
    added: readonly Restaurant[],
    transaction: EntityManager,
  ): Promise<CommandResult> {
    const ids = added.map(({ id }) => id);
    const shared = await this.restaurants.listSharedNames(ids, transaction);
    return {
      text: [`${count(added)} added`, ...shared].join('\n'),
      json: { restaurants: added.map((each) => this.restaurants.describe(each)) },
      changes: added.map(({ id, name }) => eventOf(id, { name })),
    };
  }

  private async change(
    selection: Selection,
    decide: Parameters<RestaurantsService['change']>[1],
    transaction: EntityManager,
  ): Promise<CommandResult> {
    const changes = await this.restaurants.change(selection, decide, transaction);
    return this.describeChanges(changes, transaction);
  }

  /** Says of each restaurant that was changed what was before. */
  private async describeChanges(
    all: readonly ChangedRestaurant[],
    transaction: EntityManager,
  ): Promise<CommandResult> {
    const changed = all
      .filter(({ after }) => Object.keys(after).length > 0)
      .map(({ restaurant: { id, name }, before, after }) => {
        return { restaurant_id: id, name, before: textsOf(before), after: textsOf(after) };
      });
    const lines = changed.map(({ restaurant_id: id, name, before, after }) => {
      const parts = Object.keys(after).map(
        (each) => `${each} ${before[each]} becomes ${after[each]}`,
      );
      return `${titleOf({ id, name })}: ${parts.join('; ')}`;
    });
    const renamed = changed.filter(({ after }) => after['name'] !== undefined);
    const ids = renamed.map(({ restaurant_id }) => restaurant_id);
    const shared = await this.restaurants.listSharedNames(ids, transaction);
    return {
      text: [`${changed.length} of ${count(all)} changed`, ...lines, ...shared].join('\n'),
      json: { changes: changed },
      changes: changed.map(({ restaurant_id: id, before, after }) =>
        eventOf(id, { before, after }),
      ),
    };
  }
}

/** Writes what was given of a restaurant for people, by the names of the CSV file. */
function textsOf({ name, firstDay, weeklyHours }: RestaurantChanges): Record<string, string> {
  return {
    ...(name !== undefined && { name }),
    ...(firstDay !== undefined && { first_day: firstDay }),
    ...(weeklyHours && { hours: formatWeek(weeklyHours) }),
  };
}

function count({ length }: readonly unknown[]): string {
  return length === 1 ? '1 restaurant' : `${length} restaurants`;
}

function evening(text: string): Evening {
  const parsed = parseEvening(text);
  if (!parsed) throw new InvalidArgumentError(`They are ${EVENING_FORM}.`);
  return parsed;
}

/** Reads the hours of a week whose evenings are all the same. */
function everyDay(text: string): number[] {
  const { hours, nextDay } = evening(text);
  return Array<number>(7).fill(hours | nextDay);
}

function weekdays(text: string): number[] {
  const days = parseWeekdays(text);
  if (!days) throw new InvalidArgumentError('They are some of mon,tue,wed,thu,fri,sat,sun.');
  return days;
}
