import { WholeNumber } from '../../src/config/setting.decorators.js';

/** Settings of the cash counts. */
export class CashCountsConfig {
  /** Largest number of drawers in a cash count. */
  @WholeNumber(1, 50)
  readonly CASH_COUNTS_MAX_DRAWERS: number = 20;

  /** Days for which cash counts are kept. */
  @WholeNumber(1, 36_500)
  readonly CASH_COUNTS_KEPT_DAYS: number = 400;
}
