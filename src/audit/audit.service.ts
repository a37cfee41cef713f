import { Injectable } from '@nestjs/common';
import type { AuditEntry, AuditEvent, AuditFilter } from './audit-event.js';
import { AuditRepository } from './audit.repository.js';

/** Records who did what, from where, with which outcome. */
@Injectable()
export class AuditService {
  constructor(private readonly events: AuditRepository) {}

  /** If this throws, the recorded action must not succeed. */
  async record(event: AuditEvent): Promise<void> {
    await this.events.insert(event);
  }

  async list(filter: AuditFilter): Promise<AuditEntry[]> {
    return this.events.findNewest(filter);
  }
}
