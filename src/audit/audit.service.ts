import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { OperationConfig } from '../config/operation.config.js';
import {
  AuditEvent,
  type AuditEntry,
  type AuditFilter,
  type NewAuditEvent,
} from './audit-event.entity.js';
import { BATCH, FAILED_LOGINS, isOld, LIST_EVENTS } from './audit.statements.js';

const MIN_RETENTION_MONTHS = 12;

/** Records who did what, from where, with which outcome. */
@Injectable()
export class AuditService {
  constructor(
    @InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>,
    private readonly config: OperationConfig,
  ) {}

  /** Records an event, in the transaction of the change: neither may succeed without the other. */
  async record(event: NewAuditEvent, transaction: EntityManager = this.events.manager) {
    await transaction.insert(AuditEvent, event);
  }

  /** Returns events, newest first. */
  async list({ since, username, limit }: AuditFilter): Promise<AuditEntry[]> {
    return this.events.query<AuditEntry[]>(LIST_EVENTS, [since ?? null, username ?? null, limit]);
  }

  /** Deletes what is no longer kept, and returns the number of rows. */
  async prune(): Promise<number> {
    const failed = await this.deleteOlderThan(1, FAILED_LOGINS);
    const months = this.config.AUDIT_RETENTION_MONTHS;
    if (months === 0) return failed;
    return failed + (await this.deleteOlderThan(Math.max(months, MIN_RETENTION_MONTHS)));
  }

  private async deleteOlderThan(months: number, condition = 'true'): Promise<number> {
    const deletion = this.events.createQueryBuilder().delete().where(isOld(condition), { months });
    let count = 0;
    let deleted = BATCH;
    while (deleted === BATCH) {
      deleted = (await deletion.execute()).affected ?? 0;
      count += deleted;
    }
    return count;
  }
}
