import { Injectable } from '@nestjs/common';
import { addDays, BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { CashCountsConfig } from './cash-counts.config.js';

/** Deletes cash counts that are older than CASH_COUNTS_KEPT_DAYS; their lines go with them. */
@Injectable()
export class CashCountsCleanUpService {
  constructor(
    housekeeping: Housekeeping,
    calendar: BusinessCalendar,
    { CASH_COUNTS_KEPT_DAYS: keptDays }: CashCountsConfig,
  ) {
    housekeeping.add({
      table: 'cash_counts',
      key: 'restaurant_id, date',
      where: 'date < $1',
      values: () => [addDays(calendar.today(), -keptDays)],
    });
  }
}
