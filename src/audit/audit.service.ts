import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { OperationConfig } from '../config/operation.config.js';
import { Housekeeping } from '../database/housekeeping.js';
import { OLD_EVENTS } from './audit.statements.js';
import { AuditEvent, type ListedEvent, type NewAuditEvent } from './audit-event.entity.js';

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

  /** Returns events, newest first; with a username, what the user did and what was done to it. */
  list(limit: number, username?: string, since?: Date): Promise<ListedEvent[]> {
    const query = this.events.createQueryBuilder('e');
    // Users are recorded by number, administrators by name.
    query.leftJoin('users', 'u', `e.actor = 'user:' || u.id`);
    query.select('at, actor, username, action, subject, client_address, outcome, details');
    const actor = query.subQuery().select(`'user:' || id`).from('users', 'named');
    actor.where('named.username = :username');
    if (username !== undefined)
      query.where(`(subject = :username OR e.actor = ${actor.getQuery()})`, { username });
    if (since !== undefined) query.andWhere('at >= :since', { since });
    query.orderBy('e.at', 'DESC').addOrderBy('e.id', 'DESC').limit(limit);
    return query.getRawMany<ListedEvent>();
  }

  /** Deletes the events that are no longer kept, and returns their number. */
  prune(): Promise<number> {
    const months = this.config.AUDIT_RETENTION_MONTHS;
    const kept = months === 0 ? null : Math.max(months, MIN_RETENTION_MONTHS);
    return this.housekeeping.delete({ ...OLD_EVENTS, values: [kept] });
  }
}
