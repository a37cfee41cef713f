import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { daysAgo } from '../throttling/login-attempts.repository.js';

const BATCH = 1000;

/** Skips rows that another instance is deleting. */
function deleteSome(table: string, key: string, condition: string): { name: string; text: string } {
  const some = `SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
  return { name: `delete_old_${table}`, text: `DELETE FROM ${table} WHERE (${key}) IN (${some}) RETURNING true` };
}

// The instances' clocks differ.
const TOKENS = deleteSome('tokens', 'jti', `expires_at < now() - interval '5 minutes'`);
const FAILURES = deleteSome('login_failures', 'subject, network', 'expires_at < now()');
const ADDRESSES = deleteSome('known_addresses', 'user_id, network', `last_login_at < ${daysAgo('$1')}`);

@Injectable()
export class ExpiredRowsRepository {
  constructor(private readonly database: Database) {}

  /** True once nothing is left. */
  async deleteSome(knownAddressDays: number): Promise<boolean> {
    const deleted = [
      await this.database.run(TOKENS, []),
      await this.database.run(FAILURES, []),
      await this.database.run(ADDRESSES, [knownAddressDays]),
    ];
    return deleted.every(({ length }) => length < BATCH);
  }
}
