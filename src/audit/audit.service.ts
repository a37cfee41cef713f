import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { OperationConfig } from '../config/operation.config.js';
import { Housekeeping } from '../database/housekeeping.js';
import { AuditEvent, type ListedEvent, type NewAuditEvent } from './audit-event.entity.js';
import { LIST_EVENTS, OLD_EVENTS } from './audit.statements.js';

const MIN_RETENTION_MONTHS = 12;

/** Records who did what, from where, with which outcome. */
@Injectable()
export class AuditService {
  constructor(
    @InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>,
    private readonly config: OperationConfig,
    private readonly housekeeping: Housekeeping,
  ) {}

  /** Records an event, in the transaction of the change: neither may succeed without the other. */
  async record(event: NewAuditEvent, transaction: EntityManager = this.events.manager) {
    await transaction.insert(AuditEvent, event);
  }

  list(limit: number, username?: string, since?: Date): Promise<ListedEvent[]> {
    return this.events.query<ListedEvent[]>(LIST_EVENTS, [username, since, limit]);
  }

  /** Deletes the events that are no longer kept, and returns their number. */
  prune(): Promise<number> {
    const months = this.config.AUDIT_RETENTION_MONTHS;
    const kept = months === 0 ? null : Math.max(months, MIN_RETENTION_MONTHS);
    return this.housekeeping.delete({ ...OLD_EVENTS, values: [kept] });
  }
}
