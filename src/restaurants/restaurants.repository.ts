import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { RestaurantGrant } from './restaurant-grant.entity.js';
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

  async findMissingIds(ids: number[]): Promise<number[]> {
    const found = new Set((await this.restaurants.findBy({ id: In(ids) })).map(({ id }) => id));
    return ids.filter((id) => !found.has(id));
  }

  /** false where the number is taken. */
  async insert(id: number, name: string): Promise<boolean> {
    const insert = this.restaurants.createQueryBuilder().insert().values({ id, name }).orIgnore().returning('id');
    return ((await insert.execute()).raw as unknown[]).length > 0;
  }

  async grant(userId: number, restaurantIds: number[]): Promise<void> {
    const values = restaurantIds.map((restaurantId) => ({ userId, restaurantId }));
    await this.grants.createQueryBuilder().insert().values(values).orIgnore().execute();
  }

  async ungrant(userId: number, restaurantIds: number[]): Promise<void> {
    await this.grants.delete({ userId, restaurantId: In(restaurantIds) });
  }
}
