import { Injectable } from '@nestjs/common';
import type { AuditEntry, AuditEvent, AuditFilter } from './audit-event.js';
import { AuditRepository } from './audit.repository.js';

/** Keeps for good who did what, when, from where, and what became of it. */
@Injectable()
export class AuditService {
  constructor(private readonly events: AuditRepository) {}

  /** Throws where it cannot be kept: whatever has to be answered for must then not succeed. */
  async record(event: AuditEvent): Promise<void> {
    await this.events.insert(event);
  }

  /** Newest first. */
  async list(filter: AuditFilter): Promise<AuditEntry[]> {
    return this.events.find(filter);
  }
}
