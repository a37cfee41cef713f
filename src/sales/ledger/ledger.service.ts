import { Injectable } from '@nestjs/common';
import { LedgerRepository, type Difference } from './ledger.repository.js';

/** Further differences are only counted. */
const MAX_REPORTED = 1000;

export interface Verification {
  readonly days: number;
  readonly differences: number;
  readonly reported: Difference[];
}

@Injectable()
export class LedgerService {
  constructor(private readonly ledger: LedgerRepository) {}

  /** Compares the stored figures with the ledger while uploads continue; `onDays` gets the number of days so far. */
  async verify(onDays: (days: number) => void = () => undefined): Promise<Verification> {
    const reported: Difference[] = [];
    let days = 0;
    let count = 0;
    const add = (differences: Difference[]): void => {
      count += differences.length;
      reported.push(...differences.slice(0, MAX_REPORTED - reported.length));
    };
    for await (const { differences } of this.ledger.verifyDays()) {
      add(differences);
      onDays(++days);
    }
    for await (const { differences } of this.ledger.findStrayDays()) add(differences);
    return { days, differences: count, reported };
  }

  countDays(): Promise<number> {
    return this.ledger.countDays();
  }
}
