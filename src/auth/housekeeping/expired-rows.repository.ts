import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { daysAgo } from '../throttling/login-attempts.repository.js';

/** Rows that say nothing any more, by the index on their age; what another instance is deleting is left to it. */
function deleteSome(table: string, key: string, condition: string): { name: string; text: string } {
  const some = `SELECT ${key} FROM ${table} WHERE ${condition} LIMIT 1000 FOR UPDATE SKIP LOCKED`;
  const text = `
    WITH deleted AS (DELETE FROM ${table} WHERE (${key}) IN (${some}) RETURNING true)
    SELECT count(*)::integer AS count FROM deleted`;
  return { name: `delete_old_${table}`, text };
}

// Clocks differ: a token is kept until every instance calls it expired.
const TOKENS = deleteSome('tokens', 'jti', `expires_at < now() - interval '5 minutes'`);
const FAILURES = deleteSome('login_failures', 'subject, network', 'expires_at < now()');
const ADDRESSES = deleteSome('known_addresses', 'user_id, network', `last_login_at < ${daysAgo('$1')}`);

/** What logins leave behind. */
@Injectable()
export class ExpiredRowsRepository {
  constructor(private readonly database: Database) {}

  /** Deletes a thousand rows of each kind at most, so that nothing waits for it; whether that was all. */
  async deleteSome(knownAddressDays: number): Promise<boolean> {
    const tokens = await this.database.run<{ count: number }>(TOKENS, []);
    const failures = await this.database.run<{ count: number }>(FAILURES, []);
    const addresses = await this.database.run<{ count: number }>(ADDRESSES, [knownAddressDays]);
    return [...tokens, ...failures, ...addresses].every(({ count }) => count < 1000);
  }
}
