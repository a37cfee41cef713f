import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { UsersService } from '../../users/users.service.js';
import { RestaurantGrant } from '../restaurant.entity.js';
import { RestaurantsService, type Selection } from '../restaurants.service.js';

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

  /** Grants restaurants to a user, all with future ones; earlier grants stay. */
  async grant(username: string, which: Selection, manager = this.grants.manager) {
    const user = await this.users.get(username, manager);
    if (which === 'all') await this.users.update(user, { allRestaurants: true }, manager);
    const some = which === 'all' ? [] : await this.restaurants.getAll(which, manager);
    const rows = some.map(({ id }) => ({ userId: user.id, restaurantId: id }));
    const insertion = manager.createQueryBuilder().insert().into(RestaurantGrant);
    await insertion.values(rows).orIgnore().execute();
    return this.get(username, manager);
  }

  /** Takes grants from a user. */
  async ungrant(username: string, which: Selection, manager = this.grants.manager) {
    const user = await this.users.get(username, manager);
    if (which === 'all') await this.users.update(user, { allRestaurants: false }, manager);
    else await this.restaurants.getAll(which, manager);
    const some = which === 'all' ? {} : { restaurantId: In(which) };
    await manager.delete(RestaurantGrant, { userId: user.id, ...some });
    return this.get(username, manager);
  }

  /** Lists the users by name. */
  async list(): Promise<GrantedUser[]> {
    const users = await this.users.list();
    const listed = users.map((user) => ({ user, restaurantIds: [] as number[] }));
    const idsOf = new Map(listed.map(({ user, restaurantIds }) => [user.id, restaurantIds]));
    const grants = await this.grants.find({ order: { restaurantId: 'ASC' } });
    for (const { userId, restaurantId } of grants) idsOf.get(userId)?.push(restaurantId);
    return listed;
  }

  private async get(username: string, manager: EntityManager): Promise<GrantedUser> {
    const user = await this.users.get(username, manager);
    const where = { userId: user.id };
    const granted = await manager.find(RestaurantGrant, { where, order: { restaurantId: 'ASC' } });
    return { user, restaurantIds: granted.map(({ restaurantId }) => restaurantId) };
  }
}
