import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import {
  AuditEvent,
  type AuditEntry,
  type AuditFilter,
  type NewAuditEvent,
} from './audit-event.entity.js';

const COLUMNS = [
  ...['at', 'actor', 'action', 'subject', 'outcome', 'details'].map((name) => `event.${name} AS ${name}`),
  'event.client_address AS "clientAddress"',
  'u.username AS username',
]; // prettier-ignore

/** Number of events that one statement deletes, so that each takes little time. */
const BATCH = 10_000;

/** The lock that they led to has a row of its own, which stays. */
export const FAILED_LOGINS = `action = 'login' AND outcome IN ('failure', 'refused')`;

const isInBatch = (condition: string): string =>
  `(at, id) IN (SELECT at, id FROM audit_log WHERE ${condition} ORDER BY at LIMIT ${BATCH})`;

@Injectable()
export class AuditRepository {
  constructor(@InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>) {}

  async insert(event: NewAuditEvent, manager: EntityManager = this.events.manager): Promise<void> {
    await manager.insert(AuditEvent, event);
  }

  /** Finds events by or about a user: the service records users by number, administrators by name. */
  async findNewest({ username, since, limit }: AuditFilter): Promise<AuditEntry[]> {
    const query = this.events
      .createQueryBuilder('event')
      .select(COLUMNS)
      .leftJoin('users', 'u', `u.id = substring(event.actor FROM '^user:(\\d+)$')::integer`)
      .orderBy({ 'event.at': 'DESC', 'event.id': 'DESC' })
      .limit(limit);
    if (since) query.andWhere('event.at >= :since', { since });
    if (username !== undefined) {
      const account = `(SELECT 'user:' || id FROM users WHERE username = :username)`;
      const condition = `(event.actor = ${account} OR event.subject IN (:username, ${account}))`;
      query.andWhere(condition, { username });
    }
    return query.getRawMany<AuditEntry>();
  }

  /** Deletes, in batches, the older events that meet a condition, and returns how many rows were deleted. */
  async deleteOlderThan(months: number, condition = 'true'): Promise<number> {
    const isOld = isInBatch(`at < now() - make_interval(months => ${months}) AND ${condition}`);
    const deletion = this.events.createQueryBuilder().delete().where(isOld);
    for (let count = 0; ;) {
      const { affected } = await deletion.execute();
      count += affected ?? 0;
      if (affected !== BATCH) return count;
    }
  }
}
