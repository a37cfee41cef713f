import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { COUNT_DAYS, FIND_STRAY_HOURS, VERIFY_DAYS } from './verify-ledger.statement.js';

/** Further differences are only counted. */
const MAX_REPORTED = 1000;

/** What is stored, or what the ledger says; null: nothing. */
type Values = Readonly<Record<string, number | string | null>> | null;

export interface Difference {
  readonly restaurant_id: number;
  /** YYYY-MM-DD */
  readonly date: string;
  /** null: the day's row, whose `hours` has one bit per hour */
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

  /** Uploads may continue meanwhile; `onDays` gets the number of days so far. */
  async verify(onDays: (days: number) => void = () => undefined): Promise<Verification> {
    const reported: Difference[] = [];
    let [days, count] = [0, 0];
    const add = ({ differences }: ComparedDay): void => {
      count += differences.length;
      reported.push(...differences.slice(0, MAX_REPORTED - reported.length));
    };
    for await (const day of this.database.streamRows<ComparedDay>(VERIFY_DAYS, [])) {
      add(day);
      onDays(++days);
    }
    for await (const day of this.database.streamRows<ComparedDay>(FIND_STRAY_HOURS, [])) add(day);
    return { days, differences: count, reported };
  }

  async countDays(): Promise<number> {
    return (await this.database.readSlowly<{ days: number }>(COUNT_DAYS)).days;
  }
}
