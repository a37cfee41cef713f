import { Injectable } from '@nestjs/common';
import { BusinessCalendar } from '../config/business-calendar.js';
import { isName, MAX_INTEGER } from '../http/validation/fields.decorator.js';
import type { Restaurant } from './restaurant.entity.js';
import { InvalidRestaurant, RestaurantIdTaken, UnknownRestaurant } from './restaurants.errors.js';
import { RestaurantsRepository } from './restaurants.repository.js';

/** Methods that take an id throw `UnknownRestaurant`, except `add`. */
@Injectable()
export class RestaurantsService {
  constructor(
    private readonly restaurants: RestaurantsRepository,
    private readonly calendar: BusinessCalendar,
  ) {}

  list(): Promise<Restaurant[]> {
    return this.restaurants.list();
  }

  async get(id: number): Promise<Restaurant> {
    return (await this.getAll([id]))[0]!;
  }

  /** Returns them in any order. */
  async getAll(ids: readonly number[]): Promise<Restaurant[]> {
    const found = await this.restaurants.find(ids.filter(isId));
    const known = new Set(found.map(({ id }) => id));
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) throw new UnknownRestaurant(unknown);
    return found;
  }

  async add(id: number, name: string): Promise<void> {
    if (!isId(id)) throw new InvalidRestaurant(`a restaurant id is a whole number from 1 to ${MAX_INTEGER}`);
    assertValidName(name);
    if (!(await this.restaurants.insert(id, name))) throw new RestaurantIdTaken(id);
  }

  /** Returns the restaurant as it was before. */
  async rename(id: number, name: string): Promise<Restaurant> {
    assertValidName(name);
    const restaurant = await this.get(id);
    await this.restaurants.change('rename', id, name);
    return restaurant;
  }

  /** Rejects uploads from that date (YYYY-MM-DD) on. */
  async close(id: number, from: string): Promise<Restaurant> {
    await this.get(id);
    return this.restaurants.change('close', id, from);
  }

  /** Accepts uploads again from that date on, by default today; earlier closed days stay closed. */
  async reopen(id: number, from = this.calendar.today()): Promise<{ restaurant: Restaurant; from: string }> {
    await this.get(id);
    return { restaurant: await this.restaurants.change('reopen', id, from), from };
  }
}

function isId(id: number): boolean {
  return Number.isInteger(id) && id >= 1 && id <= MAX_INTEGER;
}

function assertValidName(name: string): void {
  if (isName(name)) return;
  throw new InvalidRestaurant(
    'a restaurant name has 1 to 200 characters, none of them a control character, and no space at its ends',
  );
}
