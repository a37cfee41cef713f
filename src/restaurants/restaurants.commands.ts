import { Injectable } from '@nestjs/common';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../admin/admin.errors.js';
import { AdminCommand, type Change, type Commit } from '../admin/admin-command.decorator.js';
import { type CommandResult, type Event, formatTable } from '../admin/command-result.js';
import { day, wholeNumber } from '../admin/values.js';
import { BusinessCalendar } from '../calendar/business-calendar.js';
import { statusOn, withEvening } from '../calendar/expected-hours.js';
import {
  type Evening,
  EVENING_FORM,
  formatHours,
  formatWeek,
  parseEvening,
  parseWeekdays,
} from '../calendar/hour-set.js';
import { describeRestaurant } from './describe-restaurant.js';
import type { Restaurant } from './restaurant.entity.js';
import {
  decideChanges,
  everyDay,
  type NewRestaurant,
  type RestaurantChange,
  RestaurantsService,
} from './restaurants.service.js';
import { readRestaurantsFile } from './restaurants-file.js';
import {
  ONE_RESTAURANT,
  SELECTION_OPTIONS,
  selectionOf,
  type SelectionOptions,
  SOME_RESTAURANTS,
  subjectOf,
  titleOf,
} from './restaurants-selection.js';

type Named = Pick<Restaurant, 'id' | 'name'>;

const EVERY_WEEKDAY = [1, 2, 3, 4, 5, 6, 7];

type Hours = Change<SelectionOptions & { readonly hours: Evening; readonly on?: number[] }>;
type NameChange = Change<{ readonly name: string }>;
type New = NameChange & { readonly firstDay?: string; readonly hours?: Evening };
type FirstDay = Change<{ readonly all?: boolean; readonly notBefore?: string }>;
type Import = { readonly update?: boolean; readonly dryRun?: boolean; readonly commit: Commit };

@Injectable()
export class RestaurantsCommands {
  constructor(
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  @AdminCommand({
    name: 'restaurant add',
    description: 'Add a restaurant; uploads are accepted for any day and hour all the same',
    ...ONE_RESTAURANT,
    options: [
      new Option('--name <name>', 'its name').makeOptionMandatory(),
      new Option(
        '--first-day <date>',
        'the day from which on it is expected to send, YYYY-MM-DD (default: today)',
      ).argParser(day),
      new Option('--hours <hours>', `the hours that it is expected to send: ${EVENING_FORM}`)
        .argParser(hours)
        .default(undefined, 'all'),
    ],
  })
  async add(id: number, { name, firstDay, hours, transaction }: New): Promise<CommandResult> {
    const weeklyHours = hours && everyDay(hours);
    const added = await this.restaurants.add({ id, name, firstDay, weeklyHours }, transaction);
    const text = `${titleOf(added)} added; it is expected to send from ${added.firstDay} on`;
    const shared = listSharedNames(await this.restaurants.list(transaction), [id]);
    return { text: [text, ...shared].join('\n'), json: this.describe(added) };
  }

  @AdminCommand({
    name: 'restaurant rename',
    description: 'Rename a restaurant; its id and its data stay',
    ...ONE_RESTAURANT,
    options: [new Option('--name <name>', 'the new name').makeOptionMandatory()],
  })
  async rename(id: number, { name, transaction }: NameChange): Promise<CommandResult> {
    const changed = await this.restaurants.change([id], () => ({ name }), transaction);
    const [{ before }] = changed as [RestaurantChange];
    const text = `${titleOf(before)} is now called ${name}`;
    const shared = listSharedNames(await this.restaurants.list(transaction), [id]);
    return {
      text: [text, ...shared].join('\n'),
      json: { restaurant_id: id, name, name_before: before.name },
      changes: changed.map(toEvent),
    };
  }

  @AdminCommand({
    name: 'restaurant first-day',
    description:
      'Set the day from which on restaurants are expected to send; no upload is rejected',
    subject: 'restaurant',
    arguments: [
      new Argument('[id]', 'the restaurant_id of its uploads').argParser(wholeNumber),
      new Argument('[date]', 'YYYY-MM-DD').argParser(day),
    ],
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
    const ofOne = id !== undefined && date !== undefined && !all && notBefore === undefined;
    const ofAll = id === undefined && all && notBefore !== undefined;
    if (!ofOne && !ofAll) throw new UsageError('give an id and a date, or --all and --not-before');
    const firstDay = ofOne ? date : notBefore!;
    const decide = (restaurant: Restaurant) =>
      ofOne || restaurant.firstDay < firstDay ? { firstDay } : {};
    const changes = await this.restaurants.change(ofOne ? [id] : 'all', decide, transaction);
    const changed = changes.filter(({ isChanged }) => ofOne || isChanged);
    const json = changed.map(({ before }) => ({
      ...{ restaurant_id: before.id, name: before.name },
      ...{ first_day: firstDay, first_day_before: before.firstDay },
    }));
    const from = `expected to send from ${firstDay} on`;
    const [{ before }] = changes as [RestaurantChange];
    const text = ofOne
      ? `${titleOf(before)} is ${from}, before from ${before.firstDay}`
      : `${count(changed)} of ${changes.length} changed: ${from}`;
    return { text, json: ofOne ? json[0] : json, changes: changed.map(toEvent) };
  }

  @AdminCommand({
    name: 'restaurant hours',
    description: 'Set the hours that restaurants are expected to send; no upload is rejected',
    ...SOME_RESTAURANTS,
    options: [
      ...SELECTION_OPTIONS,
      new Option('--hours <hours>', EVENING_FORM).argParser(hours).makeOptionMandatory(),
      new Option('--on <weekdays>', 'evenings such as fri,sat (default: every day)').argParser(
        weekdays,
      ),
    ],
  })
  async hours(
    ids: number[],
    { hours, on: weekdays = EVERY_WEEKDAY, transaction, ...given }: Hours,
  ): Promise<CommandResult> {
    const changes = await this.restaurants.change(
      await selectionOf(ids, given),
      ({ weeklyHours }) => ({ weeklyHours: withEvening(weeklyHours, hours, weekdays) }),
      transaction,
    );
    const lines = changes.map(
      ({ before, after }) =>
        `${titleOf(before)} is expected to send: ${formatWeek(after.weeklyHours)}`,
    );
    const json = changes.map(({ before: { id, name }, after }) => {
      return { restaurant_id: id, name, weekly_hours: after.weeklyHours.map(formatHours) };
    });
    return { text: lines.join('\n'), json, changes: changes.map(toEvent) };
  }

  @AdminCommand({
    name: 'restaurant list',
    description: 'List the restaurants, and what holds for each today',
    readOnly: true,
  })
  async list(): Promise<CommandResult> {
    const restaurants = await this.restaurants.list();
    const today = this.calendar.dayOf(this.calendar.today());
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
    arguments: [new Argument('<file>', 'the file, in UTF-8')],
    options: [
      new Option('--update', 'change restaurants that are there; an empty cell changes nothing'),
      new Option('--dry-run', 'check everything, say what would change, and save nothing'),
    ],
    isSlow: true,
  })
  async import(
    file: string,
    { update = false, dryRun: isDryRun = false, commit }: Import,
  ): Promise<CommandResult> {
    const present = await this.restaurants.list();
    const rows = await readRestaurantsFile(file, new Set(present.map(({ id }) => id)), update);
    if (update) return this.update(rows, present, isDryRun, commit);
    if (isDryRun) return describeAdded(rows, [...present, ...rows], isDryRun);
    return commit(async (transaction) => {
      await this.restaurants.addAll(rows, transaction);
      return describeAdded(rows, await this.restaurants.list(transaction), isDryRun);
    });
  }

  private async update(
    rows: readonly NewRestaurant[],
    present: readonly Restaurant[],
    isDryRun: boolean,
    commit: Commit,
  ): Promise<CommandResult> {
    const rowOf = new Map(rows.map((row) => [row.id, { ...row, name: row.name || undefined }]));
    const decide = ({ id }: Restaurant) => rowOf.get(id) ?? {};
    if (isDryRun) return describeUpdated(decideChanges(present, decide), rows.length, isDryRun);
    return commit(async (transaction) => {
      const changes = await this.restaurants.change('all', decide, transaction);
      return describeUpdated(changes, rows.length, isDryRun);
    });
  }

  private describe(restaurant: Restaurant) {
    const today = this.calendar.today();
    return Object.assign(describeRestaurant(restaurant, today), {
      today: statusOn(restaurant, this.calendar.dayOf(today)),
      created_at: restaurant.createdAt,
    });
  }
}

function describeAdded(
  added: readonly NewRestaurant[],
  all: readonly Named[],
  isDryRun: boolean,
): CommandResult {
  const text = `${count(added)} ${isDryRun ? 'would be added; nothing was saved' : 'added'}`;
  const ids = added.map(({ id }) => id);
  return {
    text: [text, ...listSharedNames(all, ids)].join('\n'),
    json: { dry_run: isDryRun, restaurant_ids: ids },
    changes: isDryRun
      ? []
      : added.map((each) => ({ subject: subjectOf(each), details: { name: each.name } })),
  };
}

/** Describes what becomes of all restaurants, of which a file names some. */
function describeUpdated(
  changes: readonly RestaurantChange[],
  named: number,
  isDryRun: boolean,
): CommandResult {
  const changed = changes.filter(({ isChanged }) => isChanged);
  const others = named - changed.length;
  const text =
    `${count(changed)} ${isDryRun ? 'would be changed; nothing was saved' : 'changed'}` +
    (others > 0 ? `; ${others} already as in the file` : '');
  const lines = changed.map((change) => {
    const { before, after } = differencesOf(change);
    const parts = Object.entries(after).map(
      ([name, value]) => `${name} ${before[name]} becomes ${value}`,
    );
    return `${titleOf(change.before)}: ${parts.join('; ')}`;
  });
  const ids = changed.map(({ before: { id } }) => id);
  const all = changes.map(({ before: { id }, after: { name } }) => ({ id, name }));
  return {
    text: [text, ...lines, ...listSharedNames(all, ids)].join('\n'),
    json: {
      dry_run: isDryRun,
      changes: changed.map((change) => {
        return { restaurant_id: change.before.id, ...differencesOf(change) };
      }),
    },
    changes: isDryRun ? [] : changed.map(toEvent),
  };
}

/** Says which of some restaurants have the name of another, as people tell them apart by it. */
function listSharedNames(all: readonly Named[], ids: readonly number[]): string[] {
  const idsOf = new Map<string, number[]>();
  for (const { id, name } of all) idsOf.set(name, [...(idsOf.get(name) ?? []), id]);
  const shared = [...idsOf].filter(
    ([, same]) => same.length > 1 && same.some((id) => ids.includes(id)),
  );
  return shared.map(([name, same]) => `restaurants ${same.join(', ')} have one name: ${name}`);
}

/** Returns what has changed of a restaurant, as texts by name. */
function differencesOf({ before, after }: RestaurantChange) {
  const [old, now] = [textsOf(before), textsOf(after)];
  const names = Object.keys(old).filter((name) => old[name] !== now[name]);
  const only = (texts: Record<string, string>) =>
    Object.fromEntries(names.map((name) => [name, texts[name]!]));
  return { before: only(old), after: only(now) };
}

function textsOf({
  name,
  firstDay,
  weeklyHours,
}: RestaurantChange['after']): Record<string, string> {
  return { name, first_day: firstDay, hours: formatWeek(weeklyHours) };
}

function toEvent(change: RestaurantChange): Event {
  return { subject: subjectOf(change.before), details: differencesOf(change) };
}

function count({ length }: readonly unknown[]): string {
  return length === 1 ? '1 restaurant' : `${length} restaurants`;
}

function hours(text: string): Evening {
  const evening = parseEvening(text);
  if (!evening) throw new InvalidArgumentError(`They are ${EVENING_FORM}.`);
  return evening;
}

function weekdays(text: string): number[] {
  const days = parseWeekdays(text);
  if (!days) throw new InvalidArgumentError('They are some of mon,tue,wed,thu,fri,sat,sun.');
  return days;
}
