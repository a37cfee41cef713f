import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { assertName } from '../admin/admin.errors.js';
import { BusinessCalendar } from '../calendar/business-calendar.js';
import { ALL_HOURS, type Evening } from '../calendar/hour-set.js';
import { type PageRequest, toPage } from '../database/page.js';
import { isId } from '../http/validation/fields.decorator.js';
import { Restaurant } from './restaurant.entity.js';
import {
  InvalidRestaurantId,
  RestaurantExists,
  RestaurantNotGranted,
  UnknownRestaurant,
} from './restaurants.errors.js';
import {
  COUNT_VISIBLE,
  LOCK_RESTAURANTS,
  READ_RESTAURANTS,
  READ_VISIBLE,
  READ_VISIBLE_PAGE,
  SHARED_NAMES,
} from './restaurants.statements.js';

export interface NewRestaurant {
  readonly id: number;
  readonly name: string;
  /** The day from which on it is expected to send, YYYY-MM-DD; by default today. */
  readonly firstDay?: string | undefined;
  /** Seven sets of hours, Monday first; by default all hours. */
  readonly weeklyHours?: readonly number[] | undefined;
}

/** What can be changed of a restaurant. */
export type RestaurantProperties = Pick<Restaurant, 'name' | 'firstDay' | 'weeklyHours'>;

/** What is undefined stays as it is. */
type Decide = (restaurant: Restaurant) => {
  readonly [Name in keyof RestaurantProperties]?: RestaurantProperties[Name] | undefined;
};

const ALWAYS: Evening = { hours: ALL_HOURS, nextDay: 0 };

/** Manages restaurants. Methods that take an id throw `UnknownRestaurant`, except `add`. */
@Injectable()
export class RestaurantsService {
  constructor(
    @InjectRepository(Restaurant) private readonly restaurants: Repository<Restaurant>,
    private readonly calendar: BusinessCalendar,
  ) {}

  get manager(): EntityManager {
    return this.restaurants.manager;
  }

  list(manager = this.manager): Promise<Restaurant[]> {
    return manager.query<Restaurant[]>(READ_RESTAURANTS, [null]);
  }

  async get(id: number, manager = this.manager): Promise<Restaurant> {
    return (await this.getAll([id], manager))[0]!;
  }

  /** Returns the restaurants with these ids, by id. */
  async getAll(ids: readonly number[], manager = this.manager): Promise<Restaurant[]> {
    const found = await manager.query<Restaurant[]>(READ_RESTAURANTS, [ids.filter(isId)]);
    assertAllFound(ids, found, UnknownRestaurant);
    return found;
  }

  /** Returns these restaurants or all, which nobody else changes before the transaction ends. */
  async lock(
    selection: readonly number[] | 'all',
    transaction: EntityManager,
  ): Promise<Restaurant[]> {
    await transaction.query(LOCK_RESTAURANTS, [
      selection === 'all' ? null : selection.filter(isId),
    ]);
    return selection === 'all' ? this.list(transaction) : this.getAll(selection, transaction);
  }

  /** Returns the restaurants that a user may upload for, or those of `ids` among them, by id. */
  listVisible(userId: number, ids?: readonly number[]): Promise<Restaurant[]> {
    return this.manager.query<Restaurant[]>(READ_VISIBLE, [userId, ids ?? null]);
  }

  /** Returns a page of those that `listVisible` returns, by id; with a text if one is searched. */
  async findVisible(
    userId: number,
    search: string | undefined,
    { limit, after = 0 }: PageRequest<number>,
  ): Promise<{ items: Restaurant[]; next: number | null }> {
    const wanted = withoutAccents(search?.trim() ?? '');
    const values = [userId, after, wanted, wanted.split(/\s+/), limit + 1];
    const rows = await this.manager.query<Restaurant[]>(READ_VISIBLE_PAGE, values);
    return toPage(rows, limit, ({ id }) => id);
  }

  async countVisible(userId: number): Promise<number> {
    const rows = await this.manager.query<[{ count: number }]>(COUNT_VISIBLE, [userId]);
    return rows[0].count;
  }

  /**
   * Returns these restaurants by id, or throws `RestaurantNotGranted`, also for an unknown one:
   * clients cannot find out which exist.
   */
  async assertGranted(userId: number, ...ids: readonly number[]): Promise<Restaurant[]> {
    const found = await this.listVisible(userId, ids);
    assertAllFound(ids, found, RestaurantNotGranted);
    return found;
  }

  /** Adds a restaurant; returns it. */
  async add(restaurant: NewRestaurant, manager = this.manager): Promise<Restaurant> {
    if (!isId(restaurant.id)) throw new InvalidRestaurantId();
    assertName('restaurant name', restaurant.name);
    await this.addAll([restaurant], manager);
    return this.get(restaurant.id, manager);
  }

  /** Adds valid restaurants, or throws `RestaurantExists`. */
  async addAll(restaurants: readonly NewRestaurant[], manager = this.manager): Promise<void> {
    const rows = restaurants.map(({ id, name, firstDay, weeklyHours = everyDay(ALWAYS) }) => {
      return { id, name, firstDay: firstDay ?? this.calendar.today(), weeklyHours };
    });
    const insertion = manager.createQueryBuilder().insert().into(Restaurant).orIgnore();
    const { raw } = await insertion.values(rows).returning('id').execute();
    const added = new Set((raw as { id: number }[]).map(({ id }) => id));
    const taken = rows.find(({ id }) => !added.has(id));
    if (taken) throw new RestaurantExists(taken.id);
  }

  /** Changes these restaurants or all, each as `decide` says; returns what became of each, by id. */
  change(selection: readonly number[] | 'all', decide: Decide, manager = this.manager) {
    return manager.transaction(async (transaction) => {
      const changes: { before: Restaurant; after: RestaurantProperties }[] = [];
      for (const before of await this.lock(selection, transaction)) {
        const after = changed(before, decide(before));
        assertName('restaurant name', after.name);
        if (!isDeepStrictEqual(after, changed(before, {})))
          await transaction.update(Restaurant, before.id, after);
        changes.push({ before, after });
      }
      return changes;
    });
  }

  /** Says which of some restaurants have the name of another, as people tell them apart by it. */
  async listSharedNames(ids: readonly number[], manager: EntityManager): Promise<string[]> {
    const shared = await manager.query<{ name: string; same: string }[]>(SHARED_NAMES, [ids]);
    return shared.map(({ name, same }) => `restaurants ${same} have one name: ${name}`);
  }
}

function changed(
  { name, firstDay, weeklyHours }: RestaurantProperties,
  change: ReturnType<Decide>,
): RestaurantProperties {
  return {
    name: change.name ?? name,
    firstDay: change.firstDay ?? firstDay,
    weeklyHours: change.weeklyHours ?? weeklyHours,
  };
}

/** Returns the weekly hours of a restaurant whose evenings are all the same. */
export function everyDay({ hours, nextDay }: Evening): number[] {
  return Array<number>(7).fill(hours | nextDay);
}

/** Does in JavaScript what READ_VISIBLE_PAGE does with names. */
function withoutAccents(text: string): string {
  const letters = text.toLowerCase().normalize('NFD');
  return letters.replaceAll(/[\u0300-\u036f]/g, '');
}

function assertAllFound(
  ids: readonly number[],
  found: readonly Restaurant[],
  NotFound: new (...ids: [number, ...number[]]) => Error,
): void {
  const known = new Set(found.map(({ id }) => id));
  const [first, ...others] = ids.filter((id) => !known.has(id));
  if (first !== undefined) throw new NotFound(first, ...others);
}
