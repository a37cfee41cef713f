import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { DAYS_AT_ONCE, STORE_TOTALS } from './totals.statements.js';

/** More days than a chain of 1,000 restaurants uploads between two rounds of housekeeping. */
const MANY_DAYS = 5000;

/**
 * Stores the totals of days, so that reports need not add them up again. It is done apart from
 * uploads, which it never lets wait for long, and apart from reports, which are right without it.
 */
@Injectable()
export class DayTotalsService implements OnModuleDestroy {
  private readonly logger = new Logger('DayTotals');
  private running: Promise<void> | undefined;
  private isClosing = false;
  /** Why reports are slow now; undefined if they are not. */
  delay: string | undefined;

  constructor(
    private readonly database: Database,
    private readonly restaurants: RestaurantsService,
    housekeeping: Housekeeping,
  ) {
    housekeeping.addTask(() => this.store());
  }

  onModuleDestroy(): Promise<void> | undefined {
    this.isClosing = true;
    return this.running;
  }

  /** Stores the totals of all days that were uploaded since, unless it is being done already. */
  store(): Promise<void> {
    this.running ??= this.storeAll()
      .catch((error: unknown) => this.logger.warn(`totals were not stored: ${String(error)}`))
      .finally(() => (this.running = this.delay = undefined));
    return this.running;
  }

  private async storeAll(): Promise<void> {
    let days = 0;
    for (const { id } of await this.restaurants.list()) {
      let stored: number;
      do {
        if (this.isClosing) return;
        stored = (await this.database.run(STORE_TOTALS, [id])).length;
        days += stored;
        if (days > MANY_DAYS && this.delay === undefined) {
          this.delay =
            'reports are slow until the totals of all days are stored, as after an upgrade';
          this.logger.warn(this.delay);
        }
      } while (stored === DAYS_AT_ONCE);
    }
    if (days > MANY_DAYS)
      this.logger.log(`the totals of ${days} days are stored: reports are fast`);
  }
}
