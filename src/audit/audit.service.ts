import { Injectable } from '@nestjs/common';
import type { AuditEntry, AuditEvent, AuditFilter } from './audit-event.js';
import { AuditRepository } from './audit.repository.js';

/** Records who did what, when, from where, and with which outcome. */
@Injectable()
export class AuditService {
  constructor(private readonly events: AuditRepository) {}

  /** Throws where the event cannot be recorded: what it is about must then not succeed. */
  async record(event: AuditEvent): Promise<void> {
    await this.events.insert(event);
  }

  /** Returns the newest first. */
  async list(filter: AuditFilter): Promise<AuditEntry[]> {
    return this.events.findNewest(filter);
  }
}
