import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { administrator } from '../../config/administrator.js';
import { Database } from '../../database/database.js';
import { UsersService } from '../../users/users.service.js';
import { RestaurantGrant } from '../restaurant.entity.js';
import { RestaurantsService } from '../restaurants.service.js';

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
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly restaurants: RestaurantsService,
    private readonly audit: AuditService,
  ) {}

  async listUsers(): Promise<GrantedUser[]> {
    const users = await this.users.list();
    const grants = await this.grants.find({ order: { restaurantId: 'ASC' } });
    const granted = new Map<number, number[]>(users.map(({ id }) => [id, []]));
    for (const { userId, restaurantId } of grants) granted.get(userId)?.push(restaurantId);
    return users.map((user) => ({ user, restaurantIds: granted.get(user.id)! }));
  }

  /** Grants restaurants to a user; earlier grants stay. */
  grant(username: string, grants: Grants): Promise<GrantedUser> {
    return this.change('grant', username, grants);
  }

  /** Takes grants from a user; `all` takes every one. */
  ungrant(username: string, grants: Grants): Promise<GrantedUser> {
    return this.change('ungrant', username, grants);
  }

  private async change(
    change: 'grant' | 'ungrant',
    username: string,
    { restaurantIds, all }: Grants,
  ): Promise<GrantedUser> {
    const user = await this.users.get(username);
    await this.restaurants.getAll(restaurantIds);
    await this.database.transaction(async (transaction) => {
      const grants = transaction.getRepository(RestaurantGrant);
      if (change === 'grant') {
        const rows = restaurantIds.map((restaurantId) => ({ userId: user.id, restaurantId }));
        if (rows.length > 0)
          await grants.createQueryBuilder().insert().values(rows).orIgnore().execute();
      } else {
        const some = all ? {} : { restaurantId: In(restaurantIds) };
        await grants.delete({ userId: user.id, ...some });
      }
      if (all) await this.users.setAllRestaurants(user, change === 'grant', transaction);
      const event = {
        actor: administrator(),
        action: `restaurants ${change}`,
        subject: username,
        details: { restaurants: restaurantIds, ...(all && { all }) },
      };
      await this.audit.record({ ...event, outcome: 'success' }, transaction);
    });
    const granted = await this.grants.find({
      where: { userId: user.id },
      order: { restaurantId: 'ASC' },
    });
    return {
      user: await this.users.get(username),
      restaurantIds: granted.map(({ restaurantId }) => restaurantId),
    };
  }
}
