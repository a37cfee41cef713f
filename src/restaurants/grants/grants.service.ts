import { Injectable } from '@nestjs/common';
import { UsersService } from '../../users/users.service.js';
import { GrantsRepository } from './grants.repository.js';
import { RestaurantsService } from '../restaurants.service.js';

/** A user, and the restaurants that it may upload for: those of the list, or all. */
export interface GrantedUser {
  readonly username: string;
  readonly disabled: boolean;
  readonly createdAt: Date;
  readonly restaurantIds: readonly number[];
  readonly allRestaurants: boolean;
}

/** What to give or to take: single restaurants, or all. */
export interface Grants {
  readonly restaurantIds: number[];
  readonly all: boolean;
}

/** Who may upload for which restaurants: an administrator's business. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly users: UsersService,
    private readonly restaurants: RestaurantsService,
    private readonly grants: GrantsRepository,
  ) {}

  async list(): Promise<GrantedUser[]> {
    const [users, granted] = await Promise.all([this.users.list(), this.grants.listRestaurantIds()]);
    return users.map((user) => withGrants(user, granted.get(user.id)));
  }

  /** Throws `UnknownUser`, `UnknownRestaurant`; what was granted before stays granted. */
  async grant(username: string, { restaurantIds, all }: Grants): Promise<GrantedUser> {
    const user = await this.users.get(username);
    await this.restaurants.grant(user.id, restaurantIds);
    if (all) await this.users.setAllRestaurants(user, true);
    return this.get(username);
  }

  /** With `all` nothing stays granted. Throws `UnknownUser`, `UnknownRestaurant`. */
  async ungrant(username: string, { restaurantIds, all }: Grants): Promise<GrantedUser> {
    const user = await this.users.get(username);
    await this.restaurants.ungrant(user.id, restaurantIds);
    if (all) {
      await this.users.setAllRestaurants(user, false);
      await this.grants.deleteAllOf(user.id);
    }
    return this.get(username);
  }

  private async get(username: string): Promise<GrantedUser> {
    const user = await this.users.get(username);
    return withGrants(user, (await this.grants.listRestaurantIds(user.id)).get(user.id));
  }
}

function withGrants(
  user: Awaited<ReturnType<UsersService['get']>>,
  restaurantIds: readonly number[] = [],
): GrantedUser {
  const { username, disabledAt, createdAt, allRestaurants } = user;
  return { username, disabled: disabledAt !== null, createdAt, restaurantIds, allRestaurants };
}
