import { Injectable } from '@nestjs/common';
import { Batcher } from '../../database/batcher.js';
import { Database } from '../../database/database.js';
import { deleteBatch, Housekeeping } from '../../database/housekeeping.js';
import type { Transaction } from '../../database/transaction.js';

/** Times in seconds since 1970. */
export interface NewToken {
  readonly jti: string;
  readonly userId: number;
  readonly passwordVersion: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

const insertToken = (lock: string): string => `
    INSERT INTO tokens (jti, user_id, issued_at, expires_at)
    SELECT $1, id, to_timestamp($4), to_timestamp($5)
    FROM (SELECT id FROM users WHERE id = $2 AND password_version = $3 AND disabled_at IS NULL ${lock}) AS u
    RETURNING jti`;

/**
 * FOR SHARE orders this with `user disable` and `set-password`: whichever commits first is seen.
 *
 * On Citus it would wait for every node: IS_UNCHANGED runs afterwards instead, and later changes revoke the stored token.
 */
const INSERT_TOKEN = { name: 'insert_token', text: insertToken('FOR SHARE'), distributedText: insertToken('') };

const IS_UNCHANGED = {
  name: 'is_account_unchanged',
  text: 'SELECT FROM users WHERE id = $1 AND password_version = $2 AND disabled_at IS NULL',
};

const FIND_LIVE = {
  name: 'find_live_tokens',
  text: 'SELECT jti, user_id FROM tokens WHERE jti = ANY ($1::uuid[]) AND revoked_at IS NULL',
};

const REVOKE = {
  name: 'revoke_token',
  text: 'UPDATE tokens SET revoked_at = now() WHERE jti = $1 AND revoked_at IS NULL RETURNING jti',
};

const LIVE_OF_USER = 'user_id = $1 AND revoked_at IS NULL AND expires_at > now()';

const REVOKE_ALL = {
  name: 'revoke_tokens_of_user',
  text: `
    WITH forgotten AS (DELETE FROM known_addresses WHERE user_id = $1 AND $2)
    UPDATE tokens SET revoked_at = now() WHERE ${LIVE_OF_USER} RETURNING jti`,
};

const COUNT_LIVE = {
  name: 'count_live_tokens',
  text: `SELECT count(*)::integer AS count FROM tokens WHERE ${LIVE_OF_USER}`,
};

/** Later than they expire: the instances' clocks differ. */
const EXPIRED = deleteBatch('tokens', 'jti', `expires_at < now() - interval '5 minutes'`);

@Injectable()
export class TokensRepository {
  /** Nothing is cached between reads. */
  private readonly reads = new Batcher<string, number | undefined>((jtis) => this.ownersOf(jtis), {
    name: 'token_checks',
    maxConcurrency: 2,
    maxBatchSize: 64,
  });

  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(EXPIRED);
  }

  findLiveOwner(jti: string): Promise<number | undefined> {
    return this.reads.add(jti);
  }

  /** False where the account has changed. */
  async insert({ jti, userId, passwordVersion, issuedAt, expiresAt }: NewToken): Promise<boolean> {
    const rows = await this.database.run(INSERT_TOKEN, [jti, userId, passwordVersion, issuedAt, expiresAt]);
    if (rows.length === 0 || !(await this.database.isDistributed())) return rows.length > 0;
    return (await this.database.run(IS_UNCHANGED, [userId, passwordVersion])).length > 0;
  }

  async revoke(jti: string, transaction: Transaction): Promise<number> {
    return (await transaction.run(REVOKE, [jti])).length;
  }

  async revokeAllOf(
    userId: number,
    { forgetAddresses }: { forgetAddresses: boolean },
    connection: Database | Transaction = this.database,
  ): Promise<number> {
    return (await connection.run(REVOKE_ALL, [userId, forgetAddresses])).length;
  }

  async countLive(userId: number): Promise<number> {
    return (await this.database.run<{ count: number }>(COUNT_LIVE, [userId]))[0]!.count;
  }

  private async ownersOf(jtis: string[]): Promise<(number | undefined)[]> {
    const rows = await this.database.run<{ jti: string; user_id: number }>(FIND_LIVE, [jtis]);
    const owners = new Map(rows.map(({ jti, user_id }) => [jti, user_id]));
    return jtis.map((jti) => owners.get(jti));
  }
}
