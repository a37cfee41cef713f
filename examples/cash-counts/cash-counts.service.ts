import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../src/audit/audit.service.js';
import { Database } from '../../src/database/database.js';
import type { CashCount } from './cash-count.entity.js';
import type { Kind } from './cash-count-kind.js';
import type { CashCountLine } from './cash-count-line.entity.js';
import { CashCountRulesService } from './cash-count-rules.service.js';
import { NoCashCount } from './cash-counts.errors.js';
import { CashCountSaved } from './cash-counts.events.js';
import { CashCountsRepository } from './cash-counts.repository.js';

interface SentLine extends Pick<CashCountLine, 'drawer' | 'amount'> {
  readonly kind?: Kind;
  readonly note?: string;
}

/** Saves and deletes what restaurants count in their drawers at the end of a day. */
@Injectable()
export class CashCountsService {
  constructor(
    private readonly repository: CashCountsRepository,
    private readonly rules: CashCountRulesService,
    private readonly audit: AuditService,
    private readonly database: Database,
    private readonly events: EventEmitter2,
  ) {}

  /**
   * Replaces the lines of a day, all or none; tells whether the day is new.
   * Throws RestaurantNotGranted, CountedBeforeTheDay, CountedWhileClosed, TooManyDrawers.
   */
  async replace(count: CashCount, lines: readonly SentLine[]): Promise<boolean> {
    await this.rules.assertMaySave(count, lines.length);
    const { restaurantId, date } = count;
    const isNew = await this.database.transaction(async (transaction) => {
      const created = await this.repository.lockDay(count, transaction);
      const rows = lines.map(({ drawer, amount, kind = 'till', note = null }) => {
        return { restaurantId, date, drawer, amount, kind, note };
      });
      await this.repository.replaceLines(count, rows, transaction);
      await this.record('cash count save', count, transaction);
      return created;
    });
    this.events.emit(CashCountSaved.event, new CashCountSaved(restaurantId, date, !isNew));
    return isNew;
  }

  /** Throws RestaurantNotGranted, NoCashCount. */
  async delete(count: CashCount): Promise<void> {
    await this.rules.assertMayDelete(count);
    await this.database.transaction(async (transaction) => {
      if (!(await this.repository.delete(count.restaurantId, count.date, transaction)))
        throw new NoCashCount(count.restaurantId, count.date);
      await this.record('cash count delete', count, transaction);
    });
  }

  private record(
    action: string,
    { userId, restaurantId, date }: CashCount,
    transaction: EntityManager,
  ): Promise<void> {
    return this.audit.record(
      {
        actor: `user:${userId}`,
        action,
        subject: `restaurant:${restaurantId}`,
        outcome: 'success',
        details: { date },
      },
      transaction,
    );
  }
}
