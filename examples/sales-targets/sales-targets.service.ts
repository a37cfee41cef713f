import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { type PageRequest, toPage } from '../../src/database/page.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { UsersService } from '../../src/users/users.service.js';
import { SalesTarget } from './sales-target.entity.js';
import type { SalesTargetState } from './sales-target-state.js';
import {
  NoSalesTarget,
  OnlyHeadOfficeApproves,
  SalesTargetApproved,
  SalesTargetExists,
} from './sales-targets.errors.js';

/** Keeps the turnover that head office expects of each restaurant on a day. */
@Injectable()
export class SalesTargetsService {
  constructor(
    @InjectRepository(SalesTarget) private readonly salesTargets: Repository<SalesTarget>,
    private readonly restaurants: RestaurantsService,
    private readonly users: UsersService,
  ) {}

  /** Throws RestaurantNotGranted, SalesTargetExists. */
  async create(userId: number, salesTarget: Omit<SalesTarget, 'state'>): Promise<void> {
    await this.restaurants.assertGranted(userId, salesTarget.restaurantId);
    const insertion = this.salesTargets.createQueryBuilder().insert().values(salesTarget);
    const inserted = await insertion.orIgnore().returning('restaurant_id').execute();
    if ((inserted.raw as unknown[]).length === 0)
      throw new SalesTargetExists(salesTarget.restaurantId);
  }

  /** Throws RestaurantNotGranted, NoSalesTarget. */
  async get(userId: number, restaurantId: number): Promise<SalesTarget> {
    await this.restaurants.assertGranted(userId, restaurantId);
    const salesTarget = await this.salesTargets.findOneBy({ restaurantId });
    if (!salesTarget) throw new NoSalesTarget(restaurantId);
    return salesTarget;
  }

  /**
   * Approves a proposed target. The state is asked for by the statement that changes it: of two who
   * approve at once one is told. Throws RestaurantNotGranted, OnlyHeadOfficeApproves,
   * NoSalesTarget, SalesTargetApproved.
   */
  async approve(userId: number, restaurantId: number): Promise<SalesTarget> {
    const { amount } = await this.get(userId, restaurantId);
    const { allRestaurants } = await this.users.getById(userId);
    if (!allRestaurants) throw new OnlyHeadOfficeApproves();
    const proposed = { restaurantId, state: 'proposed' as const };
    const { affected } = await this.salesTargets.update(proposed, { state: 'approved' });
    if (affected === 0) throw new SalesTargetApproved(restaurantId);
    return { restaurantId, amount, state: 'approved' };
  }

  /** Lists the sales targets of the user's restaurants, in the order of their identifiers. */
  async list(userId: number, { limit, after = 0 }: PageRequest<number>, state?: SalesTargetState) {
    const visible = await this.restaurants.listVisible(userId);
    const ids = visible.map(({ id }) => id).filter((id) => id > after);
    const rows = await this.salesTargets.find({
      where: { restaurantId: In(ids), ...(state && { state }) },
      order: { restaurantId: 'ASC' },
      take: limit + 1,
    });
    return toPage(rows, limit, ({ restaurantId }) => restaurantId);
  }
}
