import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';
import { toPage, type PageRequest } from '../../src/database/page.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { Target } from './target.entity.js';
import { NoTarget, TargetExists } from './targets.errors.js';

/** Keeps the turnover that head office expects of each restaurant on a day. */
@Injectable()
export class TargetsService {
  constructor(
    @InjectRepository(Target) private readonly targets: Repository<Target>,
    private readonly restaurants: RestaurantsService,
  ) {}

  /** Throws RestaurantNotGranted, TargetExists. */
  async create(userId: number, target: Target): Promise<void> {
    await this.restaurants.assertGranted(userId, target.restaurantId);
    const insertion = this.targets.createQueryBuilder().insert().values(target);
    const inserted = await insertion.orIgnore().returning('restaurant_id').execute();
    if ((inserted.raw as unknown[]).length === 0) throw new TargetExists(target.restaurantId);
  }

  /** Throws RestaurantNotGranted, NoTarget. */
  async get(userId: number, restaurantId: number): Promise<Target> {
    await this.restaurants.assertGranted(userId, restaurantId);
    const target = await this.targets.findOneBy({ restaurantId });
    if (!target) throw new NoTarget(restaurantId);
    return target;
  }

  /** Lists the targets of all restaurants, in the order of their identifiers. */
  async list({ limit, after = 0 }: PageRequest<number>) {
    const rows = await this.targets.find({
      where: { restaurantId: MoreThan(after) },
      order: { restaurantId: 'ASC' },
      take: limit + 1,
    });
    return toPage(rows, limit, ({ restaurantId }) => restaurantId);
  }
}
