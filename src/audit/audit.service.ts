import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { OperationConfig } from '../config/operation.config.js';
import { Housekeeping } from '../database/housekeeping.js';
import { AuditEvent, type ListedEvent, type NewAuditEvent } from './audit-event.entity.js';

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
    // A lock outlives its failed logins, as it has its own row.
    const where = `action = 'login' AND outcome IN ('failure', 'refused') AND at < now() - interval '1 month'
      OR at < now() - make_interval(months => $1)`;
    const months = this.config.AUDIT_RETENTION_MONTHS || null;
    return this.housekeeping.delete({ table: 'audit_log', key: 'at, id', where, values: [months] });
  }
}
