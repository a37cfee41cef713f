import { Injectable } from '@nestjs/common';
import { toPage, type Page, type PageRequest } from '../../src/database/page.js';
import { DatesReversed } from '../../src/http/errors/http.errors.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import type { CashCountLine } from './cash-count-line.entity.js';
import { NoCashCount } from './cash-counts.errors.js';
import { CashCountsRepository, type Days } from './cash-counts.repository.js';

type Position = Pick<CashCountLine, 'date' | 'drawer'>;

/** Tells what restaurants counted in their drawers. */
@Injectable()
export class CashCountReportsService {
  constructor(
    private readonly counts: CashCountsRepository,
    private readonly restaurants: RestaurantsService,
  ) {}

  /** Reads a day with its exact total. Throws RestaurantNotGranted, NoCashCount. */
  async read(
    userId: number,
    restaurantId: number,
    date: string,
  ): Promise<{ lines: CashCountLine[]; total: number }> {
    await this.restaurants.assertGranted(userId, restaurantId);
    const total = await this.counts.sumDay(restaurantId, date);
    if (total === null) throw new NoCashCount(restaurantId, date);
    return { lines: await this.counts.findDay(restaurantId, date), total: Number(total) };
  }

  /** Lists the lines of a restaurant by date and drawer. Throws RestaurantNotGranted, DatesReversed. */
  async list(
    userId: number,
    restaurantId: number,
    days: Days,
    page: PageRequest<Position>,
  ): Promise<Page<CashCountLine, Position>> {
    await this.restaurants.assertGranted(userId, restaurantId);
    assertInOrder(days);
    const rows = await this.counts.findPage(restaurantId, days, page);
    return toPage(rows, page.limit, ({ date, drawer }) => ({ date, drawer }));
  }

  /** Streams every line of all restaurants as CSV. Throws DatesReversed. */
  exportCsv(days: Days): AsyncIterable<Buffer> {
    assertInOrder(days);
    return this.counts.exportCsv(days);
  }
}

function assertInOrder({ from, to }: Days): void {
  if (from > to) throw new DatesReversed(from, to);
}
