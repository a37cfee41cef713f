import { Injectable } from '@nestjs/common';
import type { Restaurant } from './restaurant.entity.js';
import { RestaurantIdTaken, UnfitRestaurant, UnknownRestaurant } from './restaurants.errors.js';
import { RestaurantsRepository } from './restaurants.repository.js';

/** The restaurants, and who may upload for them: an administrator's business. */
@Injectable()
export class RestaurantsService {
  constructor(private readonly restaurants: RestaurantsRepository) {}

  list(): Promise<Restaurant[]> {
    return this.restaurants.list();
  }

  /** Throws `UnfitRestaurant`, `RestaurantIdTaken`. */
  async add(id: number, name: string): Promise<void> {
    if (!Number.isInteger(id) || id < 1 || id > 2_147_483_647) {
      throw new UnfitRestaurant('a restaurant id is a whole number from 1 to 2147483647');
    }
    if (!/^(?! )[^\p{Cc}\p{Cs}]{1,200}(?<! )$/u.test(name)) {
      throw new UnfitRestaurant(
        'a restaurant name has 1 to 200 characters, none of them a control character, and no space at its ends',
      );
    }
    if (!(await this.restaurants.insert(id, name))) throw new RestaurantIdTaken(id);
  }

  /** Throws `UnknownRestaurant`; granting again is no fault. */
  async grant(userId: number, restaurantIds: number[]): Promise<void> {
    const [missing] = await this.restaurants.findMissingIds(restaurantIds);
    if (missing !== undefined) throw new UnknownRestaurant(missing);
    await this.restaurants.grant(userId, restaurantIds);
  }

  /** Throws `UnknownRestaurant`; taking away what was not granted is no fault. */
  async ungrant(userId: number, restaurantIds: number[]): Promise<void> {
    const [missing] = await this.restaurants.findMissingIds(restaurantIds);
    if (missing !== undefined) throw new UnknownRestaurant(missing);
    await this.restaurants.ungrant(userId, restaurantIds);
  }
}
