import { Injectable } from '@nestjs/common';
import { LedgerRepository, type Difference, type VerifiedDay } from './ledger.repository.js';

/** Differences that are told; more are only counted. */
const TOLD = 1000;

/** A difference, and where it is. */
export type FoundDifference = Difference & Pick<VerifiedDay, 'restaurant_id' | 'date'>;

/** What a comparison of all days came to. */
export interface Verification {
  readonly days: number;
  readonly differences: number;
  /** The first of the differences. */
  readonly told: FoundDifference[];
}

/** Proves that the figures are what the ledger says. */
@Injectable()
export class LedgerService {
  constructor(private readonly ledger: LedgerRepository) {}

  /** Compares all days, as of one moment, while uploads go on; `onDays` is told how many are done. */
  async verify(onDays: (days: number) => void = () => undefined): Promise<Verification> {
    const told: FoundDifference[] = [];
    let days = 0;
    let differences = 0;
    const note = ({ restaurant_id, date, of_day, of_hours }: VerifiedDay): void => {
      const found = [...(of_day ?? []), ...(of_hours ?? [])];
      differences += found.length;
      for (const each of found.slice(0, TOLD - told.length)) told.push({ restaurant_id, date, ...each });
    };
    for await (const day of this.ledger.verifyDays()) {
      note(day);
      onDays(++days);
    }
    for await (const day of this.ledger.findStrayDays()) note(day);
    return { days, differences, told };
  }

  countDays(): Promise<number> {
    return this.ledger.countDays();
  }
}
