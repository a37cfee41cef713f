import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { administrator } from '../../config/administrator.js';
import { UsersService } from '../../users/users.service.js';
import { RestaurantNotGranted } from '../restaurants.errors.js';
import { RestaurantsService } from '../restaurants.service.js';
import { GrantsRepository, type Granted, type Grants } from './grants.repository.js';

export interface GrantedUser {
  readonly user: Awaited<ReturnType<UsersService['get']>>;
  readonly restaurantIds: readonly number[];
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
    return users.map((user) => ({ user, restaurantIds: granted.get(user.id) ?? [] }));
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
  grant(username: string, grants: Grants): Promise<GrantedUser> {
    return this.change('grant', username, grants);
  }

  /** With `all`, no grant stays. */
  ungrant(username: string, grants: Grants): Promise<GrantedUser> {
    return this.change('ungrant', username, grants);
  }

  private async change(change: 'grant' | 'ungrant', username: string, grants: Grants): Promise<GrantedUser> {
    const { restaurantIds, all } = grants;
    const user = await this.users.get(username);
    await this.restaurants.getAll(restaurantIds);
    await this.grants.change(change, user.id, grants, async (transaction) => {
      if (all) await this.users.setAllRestaurants(user, change === 'grant', transaction);
      const details = { restaurants: restaurantIds, ...(all && { all }) };
      const event = { actor: administrator(), action: `restaurants ${change}`, subject: username, details };
      await this.audit.record({ ...event, outcome: 'success' }, transaction);
    });
    const granted = await this.grants.listRestaurantIds(user.id);
    return { user: await this.users.get(username), restaurantIds: granted.get(user.id) ?? [] };
  }
}
