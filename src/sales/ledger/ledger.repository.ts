import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { LOCK_DAY, REPAIR_DAY, REPAIR_HOURS } from './repair-day.statement.js';
import { COUNT_ARCHIVED_MONTHS, COUNT_DAYS, FIND_STRAY_HOURS, VERIFY_DAYS } from './verify-ledger.statement.js';

/** `stored` and `ledger` describe the values in words; null: none. */
export interface Difference {
  readonly restaurant_id: number;
  /** YYYY-MM-DD */
  readonly date: string;
  /** null: the whole day */
  readonly hour: number | null;
  readonly stored: string | null;
  readonly ledger: string | null;
}

interface VerifiedDay {
  readonly differences: Difference[];
  /** Each upload that the day's row counts is in the ledger. */
  readonly ledgerIsComplete: boolean;
}

@Injectable()
export class LedgerRepository {
  constructor(private readonly database: Database) {}

  verifyDays(): AsyncGenerator<VerifiedDay> {
    return this.database.streamRows(VERIFY_DAYS, []);
  }

  /** Days with stored hours but without an upload, or of an archived month. */
  findStrayDays(): AsyncGenerator<Pick<VerifiedDay, 'differences'>> {
    return this.database.streamRows(FIND_STRAY_HOURS, []);
  }

  /** Writes a day back from the ledger; returns the number of hours that differed. */
  repairDay(
    restaurantId: number,
    date: string,
    onRepaired: (transaction: Transaction) => Promise<void>,
  ): Promise<number> {
    const day = [restaurantId, date];
    return this.database.transaction(async (transaction) => {
      await transaction.run(LOCK_DAY, day);
      const hours = await transaction.run(REPAIR_HOURS, day);
      const days = await transaction.run(REPAIR_DAY, day);
      if (hours.length + days.length > 0) await onRepaired(transaction); // an upload may have repaired it meanwhile
      return hours.length;
    });
  }

  async countArchivedMonths(): Promise<number> {
    return (await this.database.readSlowly<{ months: number }>(COUNT_ARCHIVED_MONTHS)).months;
  }

  async countDays(): Promise<number> {
    return (await this.database.readSlowly<{ days: number }>(COUNT_DAYS)).days;
  }
}
