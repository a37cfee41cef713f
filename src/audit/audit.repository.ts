import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import type { AuditEntry, AuditEvent, AuditFilter } from './audit-event.entity.js';

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

const BATCH = 10_000;

function deleteSome(name: string, condition: string): Statement {
  const some = `SELECT at, id FROM audit_log WHERE ${condition} ORDER BY at LIMIT ${BATCH}`;
  return { name, text: `DELETE FROM audit_log WHERE (at, id) IN (${some}) RETURNING true` };
}

const DELETE_OLD = deleteSome('delete_old_audit_events', 'at < now() - make_interval(months => $1)');

/** A lock has a row of its own, which stays. */
const DELETE_FAILED_LOGINS = deleteSome(
  'delete_failed_logins',
  `action = 'login' AND outcome IN ('failure', 'refused') AND at < now() - interval '1 month'`,
);

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  async insert(event: AuditEvent, connection: Database | Transaction = this.database): Promise<void> {
    const { actor, action, subject, clientAddress, outcome, details = {} } = event;
    const values = [actor, action, subject ?? null, clientAddress ?? null, outcome, JSON.stringify(details)];
    await connection.run(INSERT_EVENT, values);
  }

  /** Returns how many rows were deleted; 0 months: only failed logins. */
  async deleteOld(months: number): Promise<number> {
    const failures = await this.deleteAll(DELETE_FAILED_LOGINS, []);
    return failures + (months > 0 ? await this.deleteAll(DELETE_OLD, [months]) : 0);
  }

  private async deleteAll(statement: Statement, values: unknown[]): Promise<number> {
    for (let count = 0; ;) {
      const { length } = await this.database.run(statement, values);
      count += length;
      if (length < BATCH) return count;
    }
  }

  async findNewest({ username, since, limit }: AuditFilter): Promise<AuditEntry[]> {
    return this.database.run<AuditEntry>(FIND_EVENTS, [username ?? null, since ?? null, limit]);
  }
}
