import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { RestaurantGrant } from './restaurant-grant.entity.js';

/** The table of grants, user by user. */
@Injectable()
export class GrantsRepository {
  constructor(@InjectRepository(RestaurantGrant) private readonly grants: Repository<RestaurantGrant>) {}

  /** The restaurants granted one by one to that user, or to each, by the user's id. */
  async listRestaurantIds(userId?: number): Promise<Map<number, number[]>> {
    const where = userId === undefined ? {} : { userId };
    const granted = new Map<number, number[]>();
    for (const grant of await this.grants.find({ where, order: { userId: 'ASC', restaurantId: 'ASC' } })) {
      const ids = granted.get(grant.userId);
      if (ids) ids.push(grant.restaurantId);
      else granted.set(grant.userId, [grant.restaurantId]);
    }
    return granted;
  }

  async deleteAllOf(userId: number): Promise<void> {
    await this.grants.delete({ userId });
  }
}
