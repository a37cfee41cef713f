import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { VERIFY_LEDGER } from './verify-ledger.statements.js';

/** One side of a difference: what is stored, or what the ledger says; null if it has nothing. */
export type Values = Readonly<Record<string, number | string | null>> | null;

interface Difference {
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
  /** The first of the differences. */
  readonly reported: readonly Difference[];
}

/** Compares the stored figures with the ledger of uploads. */
@Injectable()
export class LedgerService {
  constructor(private readonly database: Database) {}

  /** Compares every day; uploads may continue meanwhile. */
  async verify(): Promise<Verification> {
    const rows = this.database.streamRows<Verification>(VERIFY_LEDGER, []);
    for await (const verification of rows) return verification; // closes the connection too
    throw new Error('the ledger was not verified');
  }
}
