import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { BusinessCalendar } from '../calendar/business-calendar.js';
import { ALL_HOURS } from '../calendar/hour-set.js';
import { isId, isName } from '../http/validation/fields.decorator.js';
import { InvalidName } from '../users/users.errors.js';
import { Restaurant, RestaurantGrant } from './restaurant.entity.js';
import {
  InvalidRestaurantId,
  RestaurantExists,
  RestaurantNotGranted,
  UnknownRestaurant,
} from './restaurants.errors.js';
import { CLOSURES } from './restaurants.statements.js';

export interface NewRestaurant {
  readonly id: number;
  readonly name: string;
  /** The day from which on it is expected to send, YYYY-MM-DD; by default today. */
  readonly firstDay?: string | undefined;
  /** Seven sets of hours, Monday first; by default all hours. */
  readonly weeklyHours?: readonly number[] | undefined;
}

const ROWS_AT_ONCE = 1000;

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
    return this.select(manager).getRawMany<Restaurant>();
  }

  async get(id: number, manager = this.manager): Promise<Restaurant> {
    return (await this.getAll([id], manager))[0]!;
  }

  /** Returns the restaurants with these ids, by id. */
  async getAll(ids: readonly number[], manager = this.manager): Promise<Restaurant[]> {
    const query = this.select(manager).where('r.id = ANY(:ids)', { ids: ids.filter(isId) });
    const found = await query.getRawMany<Restaurant>();
    assertAllFound(ids, found, UnknownRestaurant);
    return found;
  }

  /** Returns these restaurants or all, which nobody else changes before the transaction ends. */
  async lock(
    selection: readonly number[] | 'all',
    transaction: EntityManager,
  ): Promise<Restaurant[]> {
    const query = transaction.createQueryBuilder(Restaurant, 'r').select('r.id').orderBy('r.id');
    if (selection !== 'all') query.where({ id: In(selection.filter(isId)) });
    await query.setLock('pessimistic_write').getRawMany();
    return selection === 'all' ? this.list(transaction) : this.getAll(selection, transaction);
  }

  /** Returns the restaurants that a user may upload for, or those of `ids` among them, by id. */
  listVisible(userId: number, ids?: readonly number[]): Promise<Restaurant[]> {
    const query = this.select();
    const hasAll = query.subQuery().select('all_restaurants').from('users', 'u');
    const grant = query.subQuery().select('1').from(RestaurantGrant, 'g');
    hasAll.where('u.id = :userId');
    grant.where('g.userId = :userId AND g.restaurantId = r.id');
    query.where(`(${hasAll.getQuery()} OR EXISTS ${grant.getQuery()})`, { userId });
    if (ids) query.andWhere('r.id = ANY(:ids)', { ids });
    return query.getRawMany<Restaurant>();
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
    if (!isName(restaurant.name)) throw new InvalidName('restaurant name');
    const [taken] = await this.addAll([restaurant], manager);
    if (taken !== undefined) throw new RestaurantExists(taken);
    return this.get(restaurant.id, manager);
  }

  /** Adds valid restaurants, except those whose ids are taken, which it returns. */
  async addAll(restaurants: readonly NewRestaurant[], manager = this.manager): Promise<number[]> {
    const added = new Set<number>();
    const rows = restaurants.map(({ id, name, firstDay, weeklyHours }) => ({
      id,
      name,
      firstDay: firstDay ?? this.calendar.today(),
      weeklyHours: [...(weeklyHours ?? everyDay(ALL_HOURS))],
    }));
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const insertion = manager.createQueryBuilder().insert().into(Restaurant).orIgnore();
      insertion.values(rows.slice(start, start + ROWS_AT_ONCE)).returning('id');
      const inserted = await insertion.execute();
      for (const { id } of inserted.raw as { id: number }[]) added.add(id);
    }
    return restaurants.map(({ id }) => id).filter((id) => !added.has(id));
  }

  /** Renames a restaurant; returns it as it was before. */
  async rename(id: number, name: string, manager = this.manager) {
    if (!isName(name)) throw new InvalidName('restaurant name');
    const restaurant = await this.get(id, manager);
    await manager.update(Restaurant, id, { name });
    return restaurant;
  }

  /** Sets the day from which on a restaurant is expected to send; returns it as it was before. */
  async setFirstDay(id: number, firstDay: string, manager = this.manager) {
    const restaurant = await this.get(id, manager);
    await manager.update(Restaurant, id, { firstDay });
    return restaurant;
  }

  /** Sets the hours of some weekdays (1 for Monday); returns the restaurants as they are then. */
  async setHours(
    ids: readonly number[],
    { hours, weekdays }: { readonly hours: number; readonly weekdays: readonly number[] },
    manager = this.manager,
  ): Promise<Restaurant[]> {
    return manager.transaction(async (transaction) => {
      for (const restaurant of await this.lock(ids, transaction)) {
        const weeklyHours = restaurant.weeklyHours.map((before, index) =>
          weekdays.includes(index + 1) ? hours : before,
        );
        await transaction.update(Restaurant, restaurant.id, { weeklyHours });
      }
      return this.getAll(ids, transaction);
    });
  }

  private select(manager = this.manager) {
    const query = manager.createQueryBuilder().from(Restaurant, 'r').orderBy('r.id');
    query.select('r.id', 'id').addSelect('r.name', 'name');
    query.addSelect('r.first_day::text', 'firstDay').addSelect('r.weekly_hours', 'weeklyHours');
    return query.addSelect(CLOSURES, 'closures').addSelect('r.created_at', 'createdAt');
  }
}

/** Returns the weekly hours of a restaurant whose days are all the same. */
export function everyDay(hours: number): number[] {
  return Array<number>(7).fill(hours);
}

function assertAllFound(
  ids: readonly number[],
  found: readonly Restaurant[],
  NotFound: new (id: number) => Error,
): void {
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw new NotFound(unknown);
}
