import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { operatingSystemUser } from '../../config/operating-system-user.js';
import type { Transaction } from '../../database/transaction.js';
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
    private readonly audit: AuditService,
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
  async grant(username: string, grants: Grants): Promise<GrantedUser> {
    const user = await this.users.get(username);
    await this.restaurants.getAll(grants.restaurantIds);
    await this.grants.grant(user.id, grants.restaurantIds, async (transaction) => {
      if (grants.all) await this.users.setAllRestaurants(user, true, transaction);
      await this.record('restaurants grant', user, grants, transaction);
    });
    return this.get(username);
  }

  /** With `all`, no grant stays. */
  async ungrant(username: string, grants: Grants): Promise<GrantedUser> {
    const user = await this.users.get(username);
    await this.restaurants.getAll(grants.restaurantIds);
    await this.grants.ungrant(user.id, grants.all ? undefined : grants.restaurantIds, async (transaction) => {
      if (grants.all) await this.users.setAllRestaurants(user, false, transaction);
      await this.record('restaurants ungrant', user, grants, transaction);
    });
    return this.get(username);
  }

  private record(action: string, { username }: User, { restaurantIds, all }: Grants, transaction: Transaction) {
    const actor = `administrator:${operatingSystemUser()}`;
    const details = { restaurants: restaurantIds, ...(all && { all }) };
    return this.audit.record({ actor, action, subject: username, outcome: 'success', details }, transaction);
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
