import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { administrator } from '../../config/administrator.js';
import { LedgerRepository, type Difference } from './ledger.repository.js';

/** Further differences are only counted. */
const MAX_REPORTED = 1000;

export interface Verification {
  readonly days: number;
  /** Their days are left out. */
  readonly archivedMonths: number;
  readonly differences: number;
  readonly reported: Difference[];
}

export interface Repair {
  readonly days: number;
  readonly hours: number;
  /** Differences for which the ledger has no values: older ones would replace the only copy of the latest. */
  readonly left: number;
}

@Injectable()
export class LedgerService {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly audit: AuditService,
  ) {}

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
    return { days, archivedMonths: await this.ledger.countArchivedMonths(), differences: count, reported };
  }

  /** Writes back what the ledger says, or only counts it. */
  async repair(dryRun: boolean): Promise<Repair> {
    const repair = { days: 0, hours: 0, left: 0 };
    for await (const { differences, ledgerIsComplete } of this.ledger.verifyDays()) {
      const known = differences.filter(({ ledger }) => ledger !== null && ledgerIsComplete);
      repair.left += differences.length - known.length;
      if (!known[0]) continue;
      repair.days++;
      repair.hours += dryRun ? known.filter(({ hour }) => hour !== null).length : await this.repairDay(known[0]);
    }
    for await (const { differences } of this.ledger.findStrayDays()) repair.left += differences.length;
    return repair;
  }

  private repairDay({ restaurant_id, date }: Difference): Promise<number> {
    return this.ledger.repairDay(restaurant_id, date, async (transaction) => {
      const actor = administrator();
      const subject = `restaurant:${restaurant_id}`;
      const event = { actor, action: 'sales repair day', subject, outcome: 'success', details: { date } } as const;
      await this.audit.record(event, transaction);
    });
  }

  countDays(): Promise<number> {
    return this.ledger.countDays();
  }
}
