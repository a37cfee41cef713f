import { Injectable } from '@nestjs/common';
import { BusinessCalendar } from '../config/business-calendar.js';
import type { Restaurant } from './restaurant.entity.js';
import { RestaurantIdTaken, RestaurantNotGranted, InvalidRestaurant, UnknownRestaurant } from './restaurants.errors.js';
import { RestaurantsRepository } from './restaurants.repository.js';

/** The restaurants, and who may upload for them: an administrator's business. */
@Injectable()
export class RestaurantsService {
  constructor(
    private readonly restaurants: RestaurantsRepository,
    private readonly calendar: BusinessCalendar,
  ) {}

  list(): Promise<Restaurant[]> {
    return this.restaurants.list();
  }

  /** Those that a user may upload for, by number. */
  listGranted(userId: number): Promise<{ restaurant_id: number; name: string }[]> {
    return this.restaurants.findGranted(userId);
  }

  /** Throws `RestaurantNotGranted`, for an unknown restaurant too. */
  async assertGranted(userId: number, id: number): Promise<void> {
    if ((await this.restaurants.findGranted(userId, id)).length === 0) throw new RestaurantNotGranted(id);
  }

  /** Throws `UnknownRestaurant`. */
  async get(id: number): Promise<Restaurant> {
    const restaurant = isId(id) ? await this.restaurants.findById(id) : null;
    if (!restaurant) throw new UnknownRestaurant(id);
    return restaurant;
  }

  /** Throws `InvalidRestaurant`, `RestaurantIdTaken`. */
  async add(id: number, name: string): Promise<void> {
    if (!isId(id)) throw new InvalidRestaurant('a restaurant id is a whole number from 1 to 2147483647');
    assertValidName(name);
    if (!(await this.restaurants.insert(id, name))) throw new RestaurantIdTaken(id);
  }

  /** Returns it as it was before. Throws `UnknownRestaurant`, `InvalidRestaurant`. */
  async rename(id: number, name: string): Promise<Restaurant> {
    assertValidName(name);
    const restaurant = await this.get(id);
    await this.restaurants.rename(id, name);
    return restaurant;
  }

  /** Closes it from that day (YYYY-MM-DD) on; what was uploaded stays. Throws `UnknownRestaurant`. */
  async close(id: number, from: string): Promise<Restaurant> {
    await this.restaurants.close((await this.get(id)).id, from);
    return this.get(id);
  }

  /** Opens it from that day on, today where none is given; days closed before it stay closed. Throws `UnknownRestaurant`. */
  async reopen(id: number, from = this.calendar.today()): Promise<{ restaurant: Restaurant; from: string }> {
    await this.restaurants.reopen((await this.get(id)).id, from);
    return { restaurant: await this.get(id), from };
  }

  /** Throws `UnknownRestaurant`; granting again is no fault. */
  async grant(userId: number, restaurantIds: number[]): Promise<void> {
    await this.assertKnown(restaurantIds);
    if (restaurantIds.length > 0) await this.restaurants.grant(userId, restaurantIds);
  }

  /** Throws `UnknownRestaurant`; taking away what was not granted is no fault. */
  async ungrant(userId: number, restaurantIds: number[]): Promise<void> {
    await this.assertKnown(restaurantIds);
    await this.restaurants.ungrant(userId, restaurantIds);
  }

  private async assertKnown(ids: number[]): Promise<void> {
    const [missing] = await this.restaurants.findMissingIds(ids.filter(isId));
    const unknown = ids.find((id) => !isId(id)) ?? missing;
    if (unknown !== undefined) throw new UnknownRestaurant(unknown);
  }
}

function isId(id: number): boolean {
  return Number.isInteger(id) && id >= 1 && id <= 2_147_483_647;
}

function assertValidName(name: string): void {
  if (/^(?! )[^\p{Cc}\p{Cs}]{1,200}(?<! )$/u.test(name)) return;
  throw new InvalidRestaurant(
    'a restaurant name has 1 to 200 characters, none of them a control character, and no space at its ends',
  );
}
