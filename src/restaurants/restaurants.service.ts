import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type EntityManager, type Repository } from 'typeorm';
import { CommandRejected } from '../admin/admin.errors.js';
import { BusinessCalendar } from '../calendar/business-calendar.js';
import { isName, MAX_INTEGER } from '../http/validation/fields.decorator.js';
import { Restaurant, RestaurantGrant } from './restaurant.entity.js';
import { RestaurantNotGranted, UnknownRestaurant } from './restaurants.errors.js';

/** Manages restaurants. Methods that take an id throw `UnknownRestaurant`, except `add`. */
@Injectable()
export class RestaurantsService {
  constructor(
    @InjectRepository(Restaurant) private readonly restaurants: Repository<Restaurant>,
    private readonly calendar: BusinessCalendar,
  ) {}

  list(): Promise<Restaurant[]> {
    return this.restaurants.find({ order: { id: 'ASC' } });
  }

  async get(id: number, manager = this.restaurants.manager): Promise<Restaurant> {
    return (await this.getAll([id], manager))[0]!;
  }

  /** Returns the restaurants with these ids, in any order. */
  async getAll(ids: readonly number[], manager = this.restaurants.manager): Promise<Restaurant[]> {
    const found = await manager.findBy(Restaurant, { id: In(ids.filter(isId)) });
    assertAllFound(ids, found, UnknownRestaurant);
    return found;
  }

  /** Returns the restaurants that a user may upload for, or those of `ids` among them, by id. */
  listVisible(userId: number, ids?: readonly number[]): Promise<Restaurant[]> {
    const query = this.restaurants.createQueryBuilder('r').orderBy('r.id');
    const hasAll = query.subQuery().select('all_restaurants').from('users', 'u');
    const grant = query.subQuery().select('1').from(RestaurantGrant, 'g');
    hasAll.where('u.id = :userId');
    grant.where('g.userId = :userId AND g.restaurantId = r.id');
    query.where(`(${hasAll.getQuery()} OR EXISTS ${grant.getQuery()})`, { userId });
    return (ids ? query.andWhere('r.id = ANY(:ids)', { ids }) : query).getMany();
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

  /** Says whether a restaurant is closed on a day (YYYY-MM-DD). */
  isClosed({ closed }: Pick<Restaurant, 'closed'>, date: string): boolean {
    if (closed === '{}') return false;
    const ranges = [...closed.matchAll(/\[([\d-]+),([\d-]*)\)/g)];
    return ranges.some(([, from, until]) => from! <= date && (until === '' || date < until!));
  }

  async add(id: number, name: string, manager = this.restaurants.manager): Promise<void> {
    if (!isId(id))
      throw new CommandRejected(`a restaurant id is a whole number from 1 to ${MAX_INTEGER}`);
    assertValidName(name);
    const insertion = manager.createQueryBuilder().insert().into(Restaurant);
    const inserted = await insertion.values({ id, name }).orIgnore().returning('id').execute();
    if ((inserted.raw as unknown[]).length === 0)
      throw new CommandRejected(`there is a restaurant ${id} already`);
  }

  /** Renames a restaurant; returns it as it was before. */
  async rename(id: number, name: string, manager = this.restaurants.manager) {
    assertValidName(name);
    const restaurant = await this.get(id, manager);
    await manager.update(Restaurant, id, { name });
    return restaurant;
  }

  /** Lets uploads be rejected from a date (YYYY-MM-DD) on. */
  close(id: number, from: string, manager = this.restaurants.manager): Promise<Restaurant> {
    return this.changeClosed(id, '+', from, manager);
  }

  /** Lets uploads be accepted again from a date on, by default today; days before stay closed. */
  async reopen(id: number, from = this.calendar.today(), manager = this.restaurants.manager) {
    return { restaurant: await this.changeClosed(id, '-', from, manager), from };
  }

  private async changeClosed(id: number, sign: '+' | '-', from: string, manager: EntityManager) {
    await this.get(id, manager);
    const change = manager.createQueryBuilder().update(Restaurant);
    change.set({ closed: () => `closed ${sign} datemultirange(daterange(:from, NULL))` });
    await change.where({ id }).setParameter('from', from).execute();
    return this.get(id, manager);
  }
}

function isId(id: number): boolean {
  return Number.isInteger(id) && id >= 1 && id <= MAX_INTEGER;
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

function assertValidName(name: string): void {
  if (isName(name)) return;
  throw new CommandRejected(
    'a restaurant name has 1 to 200 characters, none of them a control character, and no space at its ends',
  );
}
