import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import type { AuditEntry, AuditEvent, AuditFilter } from './audit-event.js';
import { AuditRepository } from './audit.repository.js';

/** Records who did what, from where, with which outcome. */
@Injectable()
export class AuditService {
  constructor(private readonly events: AuditRepository) {}

  /** If this throws, the recorded action must not succeed: record a change in the transaction that makes it. */
  async record(event: AuditEvent, transaction?: Transaction): Promise<void> {
    await this.events.insert(event, transaction);
  }

  async list(filter: AuditFilter): Promise<AuditEntry[]> {
    return this.events.findNewest(filter);
  }
}
