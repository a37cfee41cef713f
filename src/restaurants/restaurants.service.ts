import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, In, type Repository } from 'typeorm';
import { assertName, CommandRejected } from '../admin/admin.errors.js';
import { BusinessCalendar } from '../calendar/business-calendar.js';
import { statusOn } from '../calendar/expected-hours.js';
import { ALL_HOURS, formatHours } from '../calendar/hour-set.js';
import { type PageRequest, toPage } from '../database/page.js';
import { isId, MAX_INTEGER } from '../http/validation/fields.decorator.js';
import { UsersService } from '../users/users.service.js';
import { Restaurant } from './restaurant.entity.js';
import type { GrantedRestaurant } from './restaurants.dto.js';
import { RestaurantNotGranted } from './restaurants.errors.js';

/** What can be changed of a restaurant; what is undefined stays as it is. */
export interface RestaurantChanges {
  readonly name?: string | undefined;
  /** The day from which on it is expected to send, YYYY-MM-DD; by default the day it is added. */
  readonly firstDay?: string | undefined;
  /** Seven sets of hours, Monday first; by default all hours. */
  readonly weeklyHours?: readonly number[] | undefined;
}

export interface NewRestaurant extends RestaurantChanges {
  readonly id: number;
  readonly name: string;
}

/** What a change has changed; `before` and `after` lack what stayed as it was. */
export interface ChangedRestaurant {
  readonly restaurant: Restaurant;
  readonly before: RestaurantChanges;
  readonly after: RestaurantChanges;
}

/** Restaurants by their ids, or all. */
export type Selection = readonly number[] | 'all';

const BY_ID = { id: 'ASC' } as const;
const NAMED = { id: true, name: true } as const;
const ALWAYS = Array<number>(7).fill(ALL_HOURS);

/** Manages restaurants. */
@Injectable()
export class RestaurantsService {
  constructor(
    @InjectRepository(Restaurant) private readonly restaurants: Repository<Restaurant>,
    private readonly users: UsersService,
    private readonly calendar: BusinessCalendar,
  ) {}

  get manager(): EntityManager {
    return this.restaurants.manager;
  }

  list(): Promise<Restaurant[]> {
    return find({}, this.manager);
  }

  async get(id: number, manager = this.manager): Promise<Restaurant> {
    return (await this.getAll([id], manager))[0]!;
  }

  /** Returns the restaurants with these ids, by id. */
  async getAll(ids: readonly number[], manager = this.manager): Promise<Restaurant[]> {
    const found = await find({ id: In(ids.filter(isId)) }, manager);
    assertAllKnown(ids, found);
    return found;
  }

  /** Does the work for these restaurants or all, by id; nobody else changes them meanwhile. */
  forEach<Result>(
    selection: Selection,
    manager = this.manager,
    work: (restaurant: Restaurant, transaction: EntityManager) => Promise<Result>,
  ): Promise<Result[]> {
    const where = selection === 'all' ? {} : { id: In(selection.filter(isId)) };
    const lock = { mode: 'pessimistic_write' } as const;
    return manager.transaction(async (transaction) => {
      await transaction.find(Restaurant, { select: { id: true }, where, order: BY_ID, lock });
      const locked = await find(where, transaction);
      if (selection !== 'all') assertAllKnown(selection, locked);
      const results: Result[] = [];
      for (const restaurant of locked) results.push(await work(restaurant, transaction));
      return results;
    });
  }

  /** Returns the restaurants that a user may upload for, or those of `ids` among them, by id. */
  async listVisible(userId: number, ids?: readonly number[]): Promise<Restaurant[]> {
    return find({ ...(await this.visibleTo(userId)), ...(ids && { id: In(ids) }) }, this.manager);
  }

  /** Returns a page of those that `listVisible` returns; `count` says how many those are. */
  async findVisible(
    userId: number,
    search = '',
    { limit, after = 0 }: PageRequest<number>,
  ): Promise<{ count: number; items: Restaurant[]; next: number | null }> {
    const where = await this.visibleTo(userId);
    // Hours and closures are read for the page alone: there may be 10,000 restaurants.
    const visible = await this.manager.find(Restaurant, { select: NAMED, where, order: BY_ID });
    const found = visible.filter((each) => each.id > after && isNamed(each, search));
    const { items, next } = toPage(found, limit, ({ id }) => id);
    const ids = items.map(({ id }) => id);
    return { count: visible.length, items: await find({ id: In(ids) }, this.manager), next };
  }

  private async visibleTo(userId: number): Promise<FindOptionsWhere<Restaurant>> {
    const { allRestaurants } = await this.users.getById(userId);
    return allRestaurants ? {} : { grants: { userId } };
  }

  /**
   * Returns these restaurants by id, or throws `RestaurantNotGranted`, also for an unknown one:
   * clients cannot find out which exist.
   */
  async assertGranted(userId: number, ...ids: readonly number[]): Promise<Restaurant[]> {
    const found = await this.listVisible(userId, ids);
    const [missing] = missingOf(ids, found);
    if (missing !== undefined) throw new RestaurantNotGranted(missing);
    return found;
  }

  /** Adds a restaurant; returns it. */
  async add(restaurant: NewRestaurant, manager = this.manager): Promise<Restaurant> {
    const { id, name, firstDay, weeklyHours = ALWAYS } = restaurant;
    if (!isId(id))
      throw new CommandRejected(`a restaurant id is a whole number from 1 to ${MAX_INTEGER}`);
    assertName('restaurant name', name);
    const row = { id, name, firstDay: firstDay ?? this.calendar.today(), weeklyHours };
    const insertion = manager.createQueryBuilder().insert().into(Restaurant).orIgnore();
    const inserted = await insertion.values(row).returning('id').execute();
    if ((inserted.raw as unknown[]).length === 0)
      throw new CommandRejected(`there is a restaurant ${id} already`);
    return this.get(id, manager);
  }

  /** Changes these restaurants or all, each as `decide` says; returns what changed, by id. */
  change(
    selection: Selection,
    decide: (restaurant: Restaurant) => RestaurantChanges,
    manager?: EntityManager,
  ): Promise<ChangedRestaurant[]> {
    return this.forEach(selection, manager, async (restaurant, transaction) => {
      const { before, after } = differences(restaurant, decide(restaurant));
      if (after.name !== undefined) assertName('restaurant name', after.name);
      if (Object.keys(after).length > 0) await transaction.update(Restaurant, restaurant.id, after);
      return { restaurant, before, after };
    });
  }

  /** Describes a restaurant for administrators, with all its closures and what holds today. */
  describe(restaurant: Restaurant) {
    const today = statusOn(restaurant, this.calendar.dayOf(this.calendar.today()));
    const shown = describeRestaurant(restaurant, '');
    return Object.assign(shown, { today, created_at: restaurant.createdAt });
  }

  /** Says which of some restaurants have the name of another, as people tell them apart by it. */
  async listSharedNames(ids: readonly number[], manager: EntityManager): Promise<string[]> {
    const sameName = new Map<string, number[]>();
    for (const { id, name } of await manager.find(Restaurant, { select: NAMED, order: BY_ID }))
      sameName.set(name, [...(sameName.get(name) ?? []), id]);
    return [...sameName]
      .filter(([, same]) => same.length > 1 && same.some((id) => ids.includes(id)))
      .map(([name, same]) => `restaurants ${same.join(', ')} have one name: ${name}`);
  }
}

/** Returns what changes become another value, with both values. */
function differences(restaurant: Restaurant, changes: RestaurantChanges) {
  const names = (Object.keys(changes) as (keyof RestaurantChanges)[]).filter(
    (name) => changes[name] !== undefined && !isDeepStrictEqual(changes[name], restaurant[name]),
  );
  const only = (values: RestaurantChanges): Partial<Pick<Restaurant, keyof RestaurantChanges>> =>
    Object.fromEntries(names.map((name) => [name, values[name]]));
  return { before: only(restaurant), after: only(changes) };
}

/** Describes a restaurant for clients, with its closures from a day on. */
export function describeRestaurant(restaurant: Restaurant, from: string): GrantedRestaurant {
  const { id, name, firstDay, weeklyHours, closures } = restaurant;
  const ahead = closures.filter(({ lastDay }) => lastDay === null || lastDay >= from);
  return {
    restaurant_id: id,
    name,
    first_day: firstDay,
    weekly_hours: weeklyHours.map(formatHours),
    closures: ahead.map((closure) => {
      return { first_day: closure.firstDay, last_day: closure.lastDay, reason: closure.reason };
    }),
  };
}

/** Names a restaurant in texts. */
export function titleOf({ id, name }: Pick<Restaurant, 'id' | 'name'>): string {
  return `restaurant ${id} (${name})`;
}

function find(where: FindOptionsWhere<Restaurant>, manager: EntityManager): Promise<Restaurant[]> {
  return manager.find(Restaurant, { where, order: BY_ID });
}

/**
 * Says whether a restaurant has a searched text in its name, or each word of it as its number or
 * at the begin of a word of its name.
 */
function isNamed({ id, name }: Restaurant, search: string): boolean {
  const wanted = withoutAccents(search.trim());
  const plain = withoutAccents(` ${name}`);
  const isFound = (word: string): boolean => word === String(id) || plain.includes(` ${word}`);
  return plain.includes(wanted) || wanted.split(/\s+/).every(isFound);
}

/** Returns a text in lower case and without accents. */
function withoutAccents(text: string): string {
  const letters = text.toLowerCase().normalize('NFD');
  return letters.replaceAll(/[\u0300-\u036f]/g, '');
}

function missingOf(ids: readonly number[], found: readonly Restaurant[]): number[] {
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

function assertAllKnown(ids: readonly number[], found: readonly Restaurant[]): void {
  const missing = missingOf(ids, found).slice(0, 10);
  if (missing.length > 0) throw new CommandRejected(`there is no restaurant ${missing.join(', ')}`);
}
