import { Injectable } from '@nestjs/common';
import { Batcher } from '../../database/batcher.js';
import { Database } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';

/**
 * $1 jti, $2 user, $3 version of the password, $4 lifetime in seconds.
 * FOR SHARE orders this with `user disable` and `set-password`: whichever commits first is seen.
 */
const INSERT_TOKEN = {
  name: 'insert_token',
  text: `
    INSERT INTO tokens (jti, user_id, issued_at, expires_at)
    SELECT $1, id, issued_at, issued_at + make_interval(secs => $4)
    FROM (
      SELECT id, date_trunc('second', now()) AS issued_at FROM users
      WHERE id = $2 AND password_version = $3 AND disabled_at IS NULL
      FOR SHARE
    ) AS account
    RETURNING extract(epoch FROM issued_at)::integer AS "issuedAt"`,
};

const FIND_LIVE = {
  name: 'find_live_tokens',
  text: 'SELECT jti, user_id FROM tokens WHERE jti = ANY ($1::uuid[]) AND revoked_at IS NULL',
};

/** Rows of expired tokens, which stay for five minutes because the clocks of instances differ. */
const EXPIRED = {
  table: 'tokens',
  key: 'jti',
  where: `expires_at < now() - interval '5 minutes'`,
};

@Injectable()
export class TokensRepository {
  /** Checks of tokens at the same moment share a read; nothing is kept between reads. */
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

  /** Returns when the token was issued, in seconds since 1970; undefined if the account has changed. */
  async insert(
    ...values: [jti: string, userId: number, passwordVersion: number, lifetimeSeconds: number]
  ): Promise<number | undefined> {
    return (await this.database.run<{ issuedAt: number }>(INSERT_TOKEN, values))[0]?.issuedAt;
  }

  private async ownersOf(jtis: string[]): Promise<(number | undefined)[]> {
    const rows = await this.database.run<{ jti: string; user_id: number }>(FIND_LIVE, [jtis]);
    const owners = new Map(rows.map(({ jti, user_id }) => [jti, user_id]));
    return jtis.map((jti) => owners.get(jti));
  }
}
