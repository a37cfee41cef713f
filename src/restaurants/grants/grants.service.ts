import { Injectable } from '@nestjs/common';
import { UsersService } from '../../users/users.service.js';
import { RestaurantNotGranted } from '../restaurants.errors.js';
import { RestaurantsService } from '../restaurants.service.js';
import { GrantsRepository, type Granted } from './grants.repository.js';

type User = Awaited<ReturnType<UsersService['get']>>;

export interface GrantedUser {
  readonly username: string;
  readonly disabled: boolean;
  readonly createdAt: Date;
  readonly restaurantIds: readonly number[];
  readonly allRestaurants: boolean;
}

export interface Grants {
  readonly restaurantIds: number[];
  readonly all?: boolean;
}

/** Decides who may upload for which restaurants. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly users: UsersService,
    private readonly restaurants: RestaurantsService,
    private readonly grants: GrantsRepository,
  ) {}

  async listUsers(): Promise<GrantedUser[]> {
    const [users, granted] = await Promise.all([this.users.list(), this.grants.listRestaurantIds()]);
    return users.map((user) => withGrants(user, granted.get(user.id)));
  }

  listGranted(userId: number): Promise<Granted[]> {
    return this.grants.findGranted(userId);
  }

  async isGranted(userId: number, restaurantId: number): Promise<boolean> {
    return (await this.grants.findGranted(userId, [restaurantId])).length > 0;
  }

  /** Throws for an unknown restaurant too: clients cannot find out which exist. */
  async assertGranted(userId: number, ...restaurantIds: readonly number[]): Promise<void> {
    const granted = new Set((await this.grants.findGranted(userId, restaurantIds)).map(({ id }) => id));
    const other = restaurantIds.find((id) => !granted.has(id));
    if (other !== undefined) throw new RestaurantNotGranted(other);
  }

  /** Earlier grants stay. */
  async grant(username: string, { restaurantIds, all = false }: Grants): Promise<GrantedUser> {
    const user = await this.users.get(username);
    await this.restaurants.getAll(restaurantIds);
    await this.grants.grant(user.id, restaurantIds);
    if (all) await this.users.setAllRestaurants(user, true);
    return this.get(username);
  }

  /** With `all`, no grant stays. */
  async ungrant(username: string, { restaurantIds, all = false }: Grants): Promise<GrantedUser> {
    const user = await this.users.get(username);
    await this.restaurants.getAll(restaurantIds);
    if (all) await this.users.setAllRestaurants(user, false);
    await this.grants.ungrant(user.id, all ? undefined : restaurantIds);
    return this.get(username);
  }

  private async get(username: string): Promise<GrantedUser> {
    const user = await this.users.get(username);
    return withGrants(user, (await this.grants.listRestaurantIds(user.id)).get(user.id));
  }
}

function withGrants(user: User, restaurantIds: readonly number[] = []): GrantedUser {
  const { username, disabledAt, createdAt, allRestaurants } = user;
  return { username, disabled: disabledAt !== null, createdAt, restaurantIds, allRestaurants };
}
