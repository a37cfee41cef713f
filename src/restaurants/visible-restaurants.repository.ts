import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Restaurant } from './restaurant.entity.js';

/** What users and reports see of a restaurant. */
export type VisibleRestaurant = Pick<Restaurant, 'id' | 'name' | 'closed'>;

export interface Selection {
  /** Only these restaurants; undefined for all. */
  readonly ids?: readonly number[] | undefined;
  /** Only ids above this one. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}

@Injectable()
export class VisibleRestaurantsRepository {
  constructor(@InjectRepository(Restaurant) private readonly restaurants: Repository<Restaurant>) {}

  /** Returns the restaurants that a user may upload for, by id; those of all users for `null`. */
  list(
    userId: number | null,
    { ids, after = 0, limit }: Selection = {},
  ): Promise<VisibleRestaurant[]> {
    const query = this.restaurants
      .createQueryBuilder('r')
      .select('r.id', 'id')
      .addSelect('r.name', 'name')
      .addSelect('r.closed::text', 'closed')
      .where('r.id > :after', { after })
      .orderBy('r.id')
      .limit(limit);
    if (ids) query.andWhere('r.id = ANY(:ids)', { ids });
    if (userId !== null)
      query.andWhere(
        `((SELECT all_restaurants FROM users WHERE id = :userId)
          OR EXISTS (SELECT FROM restaurant_grants AS g WHERE g.user_id = :userId AND g.restaurant_id = r.id))`,
        { userId },
      );
    return query.getRawMany<VisibleRestaurant>();
  }
}
