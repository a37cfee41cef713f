import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { deleteBatch } from '../../database/housekeeping.js';
import { daysAgo } from '../throttling/login-attempts.repository.js';

// The instances' clocks differ.
const TOKENS = deleteBatch('tokens', 'jti', `expires_at < now() - interval '5 minutes'`);
const FAILURES = deleteBatch('login_failures', 'subject, network', 'expires_at < now()');
const ADDRESSES = deleteBatch('known_addresses', 'user_id, network', `last_login_at < ${daysAgo('$1')}`);

@Injectable()
export class ExpiredRowsRepository {
  constructor(private readonly database: Database) {}

  async deleteTokens(): Promise<number> {
    return (await this.database.run(TOKENS, [])).length;
  }

  async deleteFailures(): Promise<number> {
    return (await this.database.run(FAILURES, [])).length;
  }

  async deleteAddresses(knownDays: number): Promise<number> {
    return (await this.database.run(ADDRESSES, [knownDays])).length;
  }
}
