import { Injectable } from '@nestjs/common';
import { Streams } from '../../database/streams.js';
import { FIND_STRAY_HOURS, VERIFY_DAYS } from './verify-ledger.statement.js';

/** Something that stands otherwise than the ledger says. */
export interface Difference {
  /** null where it is about the day as a whole. */
  readonly hour: number | null;
  /** What stands, in words; null where nothing does. */
  readonly stands: string | null;
  /** What the ledger says, in words; null where it says nothing. */
  readonly ledger: string | null;
}

/** A day compared with the ledger. */
export interface VerifiedDay {
  readonly restaurant_id: number;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly of_day: Difference[] | null;
  readonly of_hours: Difference[] | null;
}

/** Compares what stands with what the ledger says. */
@Injectable()
export class LedgerRepository {
  constructor(private readonly streams: Streams) {}

  /** Every day that was uploaded. */
  verifyDays(): AsyncGenerator<VerifiedDay> {
    return this.streams.rows(VERIFY_DAYS, []);
  }

  /** The days that stand though no upload is known of them. */
  findStrayDays(): AsyncGenerator<VerifiedDay> {
    return this.streams.rows(FIND_STRAY_HOURS, []);
  }

  async countDays(): Promise<number> {
    const text = 'SELECT count(*)::float8 AS days FROM sales_days';
    for await (const row of this.streams.rows<{ days: number }>(text, [])) return row.days;
    return 0;
  }
}
