import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { OperationConfig } from '../config/operation.config.js';
import type { AuditEntry, AuditFilter, NewAuditEvent } from './audit-event.entity.js';
import { AuditRepository, FAILED_LOGINS } from './audit.repository.js';

const MIN_RETENTION_MONTHS = 12;

/** Records who did what, from where, with which outcome. */
@Injectable()
export class AuditService {
  constructor(
    private readonly events: AuditRepository,
    private readonly config: OperationConfig,
  ) {}

  /** Records an event. If this throws, the recorded action must not succeed: record a change in its own transaction. */
  async record(event: NewAuditEvent, transaction?: EntityManager): Promise<void> {
    await this.events.insert(event, transaction);
  }

  /** Returns events, newest first. */
  async list(filter: AuditFilter): Promise<AuditEntry[]> {
    return this.events.findNewest(filter);
  }

  /** Deletes what is no longer kept, and returns the number of rows. */
  async prune(): Promise<number> {
    const failed = await this.events.deleteOlderThan(1, FAILED_LOGINS);
    const months = this.config.AUDIT_RETENTION_MONTHS;
    if (months === 0) return failed;
    return failed + (await this.events.deleteOlderThan(Math.max(months, MIN_RETENTION_MONTHS)));
  }
}
