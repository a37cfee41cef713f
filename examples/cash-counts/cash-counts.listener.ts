import { Injectable, Logger } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { CashCountSaved } from './cash-counts.events.js';

/** Writes corrections to the log. */
@Injectable()
export class CashCountsListener {
  private readonly logger = new Logger('CashCounts');

  @OnEvent(CashCountSaved.event)
  onSaved({ restaurantId, date, isCorrection }: CashCountSaved): void {
    if (isCorrection) this.logger.warn(`restaurant ${restaurantId} corrected its count of ${date}`);
  }
}
