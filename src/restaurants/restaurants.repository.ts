import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { RestaurantGrant } from './grants/restaurant-grant.entity.js';
import { Restaurant } from './restaurant.entity.js';

/** The tables of restaurants and of grants. */
@Injectable()
export class RestaurantsRepository {
  constructor(
    @InjectRepository(Restaurant) private readonly restaurants: Repository<Restaurant>,
    @InjectRepository(RestaurantGrant) private readonly grants: Repository<RestaurantGrant>,
  ) {}

  list(): Promise<Restaurant[]> {
    return this.restaurants.find({ order: { id: 'ASC' } });
  }

  findById(id: number): Promise<Restaurant | null> {
    return this.restaurants.findOneBy({ id });
  }

  /** Those that a user may upload for, by number; of `only`, or of all. */
  findGranted(userId: number, only: number | null = null): Promise<{ restaurant_id: number; name: string }[]> {
    return this.restaurants.query(
      `SELECT r.id AS restaurant_id, r.name
       FROM restaurants AS r
       WHERE ($2::integer IS NULL OR r.id = $2)
         AND ((SELECT all_restaurants FROM users WHERE id = $1)
           OR EXISTS (SELECT FROM restaurant_grants AS g WHERE g.user_id = $1 AND g.restaurant_id = r.id))
       ORDER BY r.id`,
      [userId, only],
    );
  }

  async findMissingIds(ids: number[]): Promise<number[]> {
    const found = new Set((await this.restaurants.findBy({ id: In(ids) })).map(({ id }) => id));
    return ids.filter((id) => !found.has(id));
  }

  /** false where the number is taken. */
  async insert(id: number, name: string): Promise<boolean> {
    const insert = this.restaurants.createQueryBuilder().insert().values({ id, name }).orIgnore().returning('id');
    return ((await insert.execute()).raw as unknown[]).length > 0;
  }

  async rename(id: number, name: string): Promise<void> {
    await this.restaurants.update({ id }, { name });
  }

  /** The days from that one on are closed; YYYY-MM-DD. */
  async close(id: number, from: string): Promise<void> {
    await this.setClosed(id, 'closed + datemultirange(daterange(:from, NULL))', from);
  }

  /** The days from that one on are open, whatever was closed before it staying so; YYYY-MM-DD. */
  async reopen(id: number, from: string): Promise<void> {
    await this.setClosed(id, 'closed - datemultirange(daterange(:from, NULL))', from);
  }

  async grant(userId: number, restaurantIds: number[]): Promise<void> {
    const values = restaurantIds.map((restaurantId) => ({ userId, restaurantId }));
    await this.grants.createQueryBuilder().insert().values(values).orIgnore().execute();
  }

  async ungrant(userId: number, restaurantIds: number[]): Promise<void> {
    await this.grants.delete({ userId, restaurantId: In(restaurantIds) });
  }

  private async setClosed(id: number, days: string, from: string): Promise<void> {
    const update = this.restaurants
      .createQueryBuilder()
      .update()
      .set({ closed: () => days });
    await update.where({ id }).setParameters({ from }).execute();
  }
}
