import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { AuditService } from '../../src/audit/audit.service.js';
import { Database } from '../../src/database/database.js';
import { toPage, type Page, type PageRequest } from '../../src/database/page.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import type { CashCountLine } from './cash-count-line.entity.js';
import type { CashCount } from './cash-count.entity.js';
import { NoCashCount } from './cash-counts.errors.js';
import { CashCountSaved } from './cash-counts.events.js';
import { CashCountsRepository } from './cash-counts.repository.js';

type Line = Pick<CashCountLine, 'drawer' | 'amount'>;
type Position = Pick<CashCountLine, 'date' | 'drawer'>;

/** Keeps what restaurants count in their drawers at the end of a day. */
@Injectable()
export class CashCountsService {
  constructor(
    private readonly counts: CashCountsRepository,
    private readonly restaurants: RestaurantsService,
    private readonly audit: AuditService,
    private readonly database: Database,
    private readonly events: EventEmitter2,
  ) {}

  /** Replaces the lines of a day, all or none; tells whether the day is new. Throws RestaurantNotGranted. */
  async replace(count: CashCount, lines: readonly Line[]): Promise<boolean> {
    const { restaurantId, date, userId } = count;
    await this.restaurants.assertGranted(userId, restaurantId);
    const isNew = await this.database.transaction(async (transaction) => {
      const created = await this.counts.lockDay(count, transaction);
      const rows = lines.map((line) => ({ restaurantId, date, ...line }));
      await this.counts.replaceLines(count, rows, transaction);
      await this.audit.record(
        {
          actor: `user:${userId}`,
          action: 'cash count save',
          subject: `restaurant:${restaurantId}`,
          outcome: 'success',
          details: { date, drawers: lines.length },
        },
        transaction,
      );
      return created;
    });
    this.events.emit(CashCountSaved.event, new CashCountSaved(restaurantId, date, !isNew));
    return isNew;
  }

  /** Reads a day with its exact total. Throws RestaurantNotGranted, NoCashCount. */
  async read(
    userId: number,
    restaurantId: number,
    date: string,
  ): Promise<{ lines: Line[]; total: number }> {
    await this.restaurants.assertGranted(userId, restaurantId);
    const total = await this.counts.sumDay(restaurantId, date);
    if (total === null) throw new NoCashCount(restaurantId, date);
    return { lines: await this.counts.findDay(restaurantId, date), total: Number(total) };
  }

  /** Lists the lines of a restaurant by date and drawer. Throws RestaurantNotGranted. */
  async list(
    userId: number,
    restaurantId: number,
    page: PageRequest<Position>,
  ): Promise<Page<CashCountLine, Position>> {
    await this.restaurants.assertGranted(userId, restaurantId);
    const rows = await this.counts.findPage(restaurantId, page);
    return toPage(rows, page.limit, ({ date, drawer }) => ({ date, drawer }));
  }

  /** Throws RestaurantNotGranted, NoCashCount. */
  async delete(userId: number, restaurantId: number, date: string): Promise<void> {
    await this.restaurants.assertGranted(userId, restaurantId);
    await this.database.transaction(async (transaction) => {
      if (!(await this.counts.delete(restaurantId, date, transaction)))
        throw new NoCashCount(restaurantId, date);
      await this.audit.record(
        {
          actor: `user:${userId}`,
          action: 'cash count delete',
          subject: `restaurant:${restaurantId}`,
          outcome: 'success',
          details: { date },
        },
        transaction,
      );
    });
  }

  exportCsv(): AsyncIterable<Buffer> {
    return this.counts.exportCsv();
  }
}
