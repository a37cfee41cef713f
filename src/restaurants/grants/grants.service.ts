import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { UsersService } from '../../users/users.service.js';
import { RestaurantGrant } from '../restaurant.entity.js';
import { RestaurantsService } from '../restaurants.service.js';

/** Some restaurants; with `all` every one, future ones included. */
export interface Grants {
  readonly restaurantIds: readonly number[];
  readonly all?: boolean;
}

export interface GrantedUser {
  readonly user: Awaited<ReturnType<UsersService['get']>>;
  readonly restaurantIds: readonly number[];
}

/** Changes and lists who may upload for which restaurants. */
@Injectable()
export class GrantsService {
  constructor(
    @InjectRepository(RestaurantGrant) private readonly grants: Repository<RestaurantGrant>,
    private readonly users: UsersService,
    private readonly restaurants: RestaurantsService,
  ) {}

  /** Grants restaurants to a user; earlier grants stay. */
  async grant(username: string, { restaurantIds, all }: Grants, manager = this.grants.manager) {
    const user = await this.users.get(username, manager);
    await this.restaurants.getAll(restaurantIds, manager);
    const rows = restaurantIds.map((restaurantId) => ({ userId: user.id, restaurantId }));
    const insertion = manager.createQueryBuilder().insert().into(RestaurantGrant);
    await insertion.values(rows).orIgnore().execute();
    if (all) await this.users.update(user, { allRestaurants: true }, manager);
    return this.get(username, manager);
  }

  /** Takes grants from a user; `all` takes every one. */
  async ungrant(username: string, { restaurantIds, all }: Grants, manager = this.grants.manager) {
    const user = await this.users.get(username, manager);
    await this.restaurants.getAll(restaurantIds, manager);
    const some = all ? {} : { restaurantId: In(restaurantIds) };
    await manager.delete(RestaurantGrant, { userId: user.id, ...some });
    if (all) await this.users.update(user, { allRestaurants: false }, manager);
    return this.get(username, manager);
  }

  /** Lists the users by name. */
  async list(): Promise<GrantedUser[]> {
    const idsOf = new Map((await this.users.list()).map((user) => [user, [] as number[]]));
    const listed = new Map([...idsOf].map(([user, ids]) => [user.id, ids]));
    const grants = await this.grants.find({ order: { restaurantId: 'ASC' } });
    for (const { userId, restaurantId } of grants) listed.get(userId)?.push(restaurantId);
    return [...idsOf].map(([user, restaurantIds]) => ({ user, restaurantIds }));
  }

  private async get(username: string, manager: EntityManager): Promise<GrantedUser> {
    const user = await this.users.get(username, manager);
    const where = { userId: user.id };
    const granted = await manager.find(RestaurantGrant, { where, order: { restaurantId: 'ASC' } });
    return { user, restaurantIds: granted.map(({ restaurantId }) => restaurantId) };
  }
}
