import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import type { AuditEntry, AuditEvent, AuditFilter } from './audit-event.js';

const INSERT_EVENT = {
  name: 'insert_audit_event',
  text: `
    INSERT INTO audit_log (actor, action, subject, client_address, outcome, details)
    VALUES ($1, $2, $3, $4, $5, $6)`,
};

/** The service records users by number, administrators by name. */
const FIND_EVENTS = {
  name: 'find_audit_events',
  text: `
    SELECT at, actor, username, action, subject, client_address AS "clientAddress", outcome, details
    FROM audit_log LEFT JOIN users ON users.id = substring(actor FROM '^user:(\\d+)$')::integer
    WHERE ($1::text IS NULL
        OR actor = (SELECT 'user:' || id FROM users WHERE username = $1)
        OR subject IN ($1, (SELECT 'user:' || id FROM users WHERE username = $1)))
      AND ($2::timestamptz IS NULL OR at >= $2)
    ORDER BY at DESC, audit_log.id DESC
    LIMIT $3`,
};

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  async insert(event: AuditEvent, connection: Database | Transaction = this.database): Promise<void> {
    const { actor, action, subject, clientAddress, outcome, details = {} } = event;
    const values = [actor, action, subject ?? null, clientAddress ?? null, outcome, JSON.stringify(details)];
    await connection.run(INSERT_EVENT, values);
  }

  async findNewest({ username, since, limit }: AuditFilter): Promise<AuditEntry[]> {
    return this.database.run<AuditEntry>(FIND_EVENTS, [username ?? null, since ?? null, limit]);
  }
}
