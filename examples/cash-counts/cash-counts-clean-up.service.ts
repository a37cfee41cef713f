import { Injectable } from '@nestjs/common';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { CashCountsConfig } from './cash-counts.config.js';

/** Deletes cash counts that are older than CASH_COUNTS_KEPT_DAYS; their lines go with them. */
@Injectable()
export class CashCountsCleanUpService {
  constructor(housekeeping: Housekeeping, { CASH_COUNTS_KEPT_DAYS }: CashCountsConfig) {
    housekeeping.add({
      table: 'cash_counts',
      key: 'restaurant_id, date',
      where: 'date < current_date - $1::integer',
      values: [CASH_COUNTS_KEPT_DAYS],
    });
  }
}
