import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import type { Transaction } from '../database/transaction.js';
import type { AuditEntry, AuditEvent, AuditFilter } from './audit-event.entity.js';
import { AuditRepository } from './audit.repository.js';

const MIN_RETENTION_MONTHS = 12;

/** Records who did what, from where, with which outcome. */
@Injectable()
export class AuditService {
  constructor(
    private readonly events: AuditRepository,
    private readonly config: AppConfig,
  ) {}

  /** If this throws, the recorded action must not succeed: record a change in the transaction that makes it. */
  async record(event: AuditEvent, transaction?: Transaction): Promise<void> {
    await this.events.insert(event, transaction);
  }

  /** Deletes what is no longer kept; returns how many rows. */
  async prune(): Promise<number> {
    const months = this.config.AUDIT_RETENTION_MONTHS;
    return this.events.deleteOld(months === 0 ? 0 : Math.max(months, MIN_RETENTION_MONTHS));
  }

  async list(filter: AuditFilter): Promise<AuditEntry[]> {
    return this.events.findNewest(filter);
  }
}
