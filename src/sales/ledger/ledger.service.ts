import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { FIND_STRAY_HOURS, VERIFY_DAYS } from './verify-ledger.statement.js';

/** Differences that are listed; further ones are only counted. */
const MAX_REPORTED = 1000;

/** A side of a difference: what is stored, or what the ledger says; null for nothing. */
type Values = Readonly<Record<string, number | string | null>> | null;

export interface Difference {
  readonly restaurant_id: number;
  /** YYYY-MM-DD */
  readonly date: string;
  /** The hour, or null for the day's row, whose `hours` has one bit per hour. */
  readonly hour: number | null;
  readonly stored: Values;
  readonly ledger: Values;
}

export interface Verification {
  readonly days: number;
  readonly differences: number;
  readonly reported: Difference[];
}

interface ComparedDay {
  readonly differences: Difference[];
}

/** Compares the stored figures with the ledger of uploads. */
@Injectable()
export class LedgerService {
  constructor(private readonly database: Database) {}

  /** Compares every day; uploads may continue meanwhile. */
  async verify(): Promise<Verification> {
    const reported: Difference[] = [];
    let [days, count] = [0, 0];
    for (const statement of [VERIFY_DAYS, FIND_STRAY_HOURS]) {
      for await (const day of this.database.streamRows<ComparedDay>(statement, [])) {
        if (statement === VERIFY_DAYS) days++;
        count += day.differences.length;
        reported.push(...day.differences.slice(0, MAX_REPORTED - reported.length));
      }
    }
    return { days, differences: count, reported };
  }
}
