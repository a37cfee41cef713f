import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type Repository } from 'typeorm';
import { OperationConfig } from '../config/operation.config.js';
import { Database } from '../database/database.js';
import { Housekeeping } from '../database/housekeeping.js';
import { LIST_EVENTS } from './audit.statements.js';
import { AuditEvent, type ListedEvent, type NewAuditEvent } from './audit-event.entity.js';

export interface EventFilter {
  /** What this user did and what was done to it. */
  readonly username?: string | undefined;
  /** What was done to this one, such as `restaurant:7`. */
  readonly subject?: string | undefined;
  readonly since?: Date | undefined;
  readonly limit?: number | undefined;
}

/** Records who did what, from where, with which outcome. */
@Injectable()
export class AuditService {
  constructor(
    @InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>,
    private readonly config: OperationConfig,
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
  ) {}

  /** Records an event, in the transaction of the change: neither may succeed without the other. */
  async record(event: NewAuditEvent, transaction: EntityManager = this.events.manager) {
    await transaction.insert(AuditEvent, event);
  }

  /**
   * Reads events, newest first, and of a command the last one alone: that of its outcome, or with a
   * subject the one about that. One that has only begun was killed.
   */
  async *list({ username, subject, since, limit = Infinity }: EventFilter) {
    const values = [username, subject, since].map((value) => value ?? null);
    const runs = new Set<unknown>();
    let count = 0;
    for await (const event of this.database.streamRows<ListedEvent>(LIST_EVENTS, values)) {
      const { run } = event.details;
      if (run !== undefined && runs.has(run)) continue;
      runs.add(run);
      yield event;
      if (++count === limit) return;
    }
  }

  /** Deletes the events that are no longer kept, and returns their number. */
  prune(): Promise<number> {
    // A lock outlives its failed logins, as it has its own row.
    const where = `action = 'login' AND outcome IN ('failure', 'refused') AND at < now() - interval '1 month'
      OR at < now() - make_interval(months => $1)`;
    const months = this.config.AUDIT_RETENTION_MONTHS || null;
    return this.housekeeping.delete({
      table: 'audit_log',
      key: 'at, id',
      where,
      values: () => [months],
    });
  }
}
