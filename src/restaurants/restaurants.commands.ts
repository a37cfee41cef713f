import { Injectable } from '@nestjs/common';
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { EntityManager } from 'typeorm';
import { CommandRejected, UsageError } from '../admin/admin.errors.js';
import { AdminCommand, type Change } from '../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../admin/command-result.js';
import { forEachRow } from '../admin/csv-table.js';
import { day, wholeNumber } from '../admin/values.js';
import { BusinessCalendar } from '../calendar/business-calendar.js';
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
  type Selection,
  selectionOf,
  type SelectionOptions,
} from './restaurant-command.decorator.js';
import {
  describeAll,
  type RestaurantChange,
  type RestaurantProperties,
  RestaurantsService,
  titleOf,
} from './restaurants.service.js';

const NEW = { required: ['restaurant_id', 'name'], optional: ['first_day', 'hours'] } as const;
const CHANGES = { required: ['restaurant_id'], optional: ['name', 'first_day', 'hours'] } as const;

type Hours = Change<SelectionOptions & { readonly hours: Evening; readonly on?: number[] }>;
type Name = Change<{ readonly name: string }>;
type New = Name & { readonly firstDay?: string; readonly hours?: number[] };
type FirstDay = Change<{ readonly all?: boolean; readonly notBefore?: string }>;
type Import = Change<{ readonly update?: boolean; readonly dryRun?: boolean }>;

@Injectable()
export class RestaurantsCommands {
  constructor(
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
  ) {}

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
    const json = (await this.restaurants.list()).map((restaurant) => this.describe(restaurant));
    const rows = json.map(({ restaurant_id, name, today }) => [restaurant_id, name, today]);
    return { text: formatTable(['ID', 'NAME', 'TODAY'], rows), json };
  }

  @AdminCommand('restaurant import', 'Add the restaurants of a CSV file, all or none', {
    arguments: [new Argument('<file>', 'restaurant_id,name[,first_day][,hours] in UTF-8')],
    options: [
      new Option('--update', 'change restaurants that are there; an empty cell changes nothing'),
      new Option('--dry-run', 'check everything, say what would change, and save nothing'),
    ],
  })
  async import(
    file: string,
    { update = false, dryRun: isDryRun = false, transaction }: Import,
  ): Promise<CommandResult> {
    const columns = update ? CHANGES : NEW;
    const [added, changes]: [Restaurant[], RestaurantChange[]] = [[], []];
    await transaction.query('SAVEPOINT unchanged');
    await forEachRow(file, columns, async (row) => {
      const id = row.parse('restaurant_id', wholeNumber);
      const firstDay = row.parseGiven('first_day', day);
      const weeklyHours = row.parseGiven('hours', everyDay);
      const { name } = row.cells;
      const given = { firstDay, weeklyHours };
      if (!update)
        return added.push(await this.restaurants.add({ id, name, ...given }, transaction));
      if (changes.some(({ before }) => before.id === id))
        throw new CommandRejected(`restaurant ${id} is in an earlier line too`);
      const change = { ...given, name: name || undefined };
      return changes.push(...(await this.restaurants.change([id], () => change, transaction)));
    });
    const result = await (update
      ? this.describeChanges(changes, transaction, isDryRun)
      : this.describeAdded(added, transaction, isDryRun));
    if (!isDryRun) return result;
    await transaction.query('ROLLBACK TO unchanged');
    return { ...result, changes: [] };
  }

  private async describeAdded(
    added: readonly Restaurant[],
    transaction: EntityManager,
    isDryRun = false,
  ): Promise<CommandResult> {
    const ids = added.map(({ id }) => id);
    const verb = isDryRun ? 'would be added; nothing was saved' : 'added';
    const shared = await this.restaurants.listSharedNames(ids, transaction);
    return {
      text: [`${count(added)} ${verb}`, ...shared].join('\n'),
      json: { dry_run: isDryRun, restaurants: added.map((each) => this.describe(each)) },
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
    all: readonly RestaurantChange[],
    transaction: EntityManager,
    isDryRun = false,
  ): Promise<CommandResult> {
    const changed = all
      .map(({ before, after }) => ({
        id: before.id,
        name: before.name,
        ...differencesOf(before, after),
      }))
      .filter(({ after }) => Object.keys(after).length > 0);
    const renamed = changed.filter(({ after }) => after['name'] !== undefined);
    const ids = renamed.map(({ id }) => id);
    const lines = changed.map(({ before, after, ...restaurant }) => {
      const names = Object.keys(after);
      const parts = names.map((name) => `${name} ${before[name]} becomes ${after[name]}`);
      return `${titleOf(restaurant)}: ${parts.join('; ')}`;
    });
    const verb = isDryRun ? 'would be changed; nothing was saved' : 'changed';
    const text = [`${changed.length} of ${count(all)} ${verb}`, ...lines];
    text.push(...(await this.restaurants.listSharedNames(ids, transaction)));
    const json = changed.map(({ id, ...change }) => ({ restaurant_id: id, ...change }));
    return {
      text: text.join('\n'),
      json: { dry_run: isDryRun, changes: json },
      changes: changed.map(({ id, before, after }) => eventOf(id, { before, after })),
    };
  }

  private describe(restaurant: Restaurant) {
    return describeAll(restaurant, this.calendar.dayOf(this.calendar.today()));
  }
}

/** Returns what has changed of a restaurant, as texts by name. */
function differencesOf(before: RestaurantProperties, after: RestaurantProperties) {
  const [old, now] = [textsOf(before), textsOf(after)];
  const names = Object.keys(old).filter((name) => old[name] !== now[name]);
  const only = (texts: Record<string, string>) =>
    Object.fromEntries(names.map((name) => [name, texts[name]!]));
  return { before: only(old), after: only(now) };
}

function textsOf({ name, firstDay, weeklyHours }: RestaurantProperties): Record<string, string> {
  return { name, first_day: firstDay, hours: formatWeek(weeklyHours) };
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
