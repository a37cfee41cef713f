import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan, Repository } from 'typeorm';
import { Batcher } from '../../database/batcher.js';
import { Database } from '../../database/database.js';
import { Token } from './token.entity.js';

/**
 * The lock on the user's row orders this against `user disable` and `set-password`: whichever commits first is seen by
 * the other, so that no token slips out behind a revocation.
 */
const INSERT_TOKEN = {
  name: 'insert_token',
  text: `
    INSERT INTO tokens (jti, user_id, issued_at, expires_at)
    SELECT $1, id, to_timestamp($4), to_timestamp($5)
    FROM (SELECT id FROM users WHERE id = $2 AND password_version = $3 AND disabled_at IS NULL FOR SHARE) AS u
    RETURNING jti`,
};

const FIND_LIVE = {
  name: 'find_live_tokens',
  text: 'SELECT jti, user_id FROM tokens WHERE jti = ANY ($1::uuid[]) AND revoked_at IS NULL',
};

/** The table of tokens. */
@Injectable()
export class TokensRepository {
  /** One indexed read, shared by the requests that wait for it at the same moment; nothing is remembered between reads. */
  private readonly reads = new Batcher<string, number | undefined>((jtis) => this.ownersOf(jtis), {
    maxConcurrency: 2,
    maxBatchSize: 64,
  });

  constructor(
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly database: Database,
  ) {}

  /** The id of the user to whom the token was issued; undefined where it never was, or was revoked. */
  findLiveOwner(jti: string): Promise<number | undefined> {
    return this.reads.add(jti);
  }

  /** false where the account was disabled, or its password changed, since it was read. Times in seconds since 1970. */
  async insert(token: {
    jti: string;
    userId: number;
    passwordVersion: number;
    issuedAt: number;
    expiresAt: number;
  }): Promise<boolean> {
    const { jti, userId, passwordVersion, issuedAt, expiresAt } = token;
    return (await this.database.run(INSERT_TOKEN, [jti, userId, passwordVersion, issuedAt, expiresAt])).length > 0;
  }

  /** 0 where it was revoked a moment ago. */
  async revoke(jti: string): Promise<number> {
    return (await this.tokens.update({ jti, revokedAt: IsNull() }, { revokedAt: () => 'now()' })).affected ?? 0;
  }

  /** How many of the user's tokens were live until now. */
  async revokeAllOf(userId: number): Promise<number> {
    const live = { userId, revokedAt: IsNull(), expiresAt: MoreThan(new Date()) };
    return (await this.tokens.update(live, { revokedAt: () => 'now()' })).affected ?? 0;
  }

  async countLive(userId: number): Promise<number> {
    return this.tokens.countBy({ userId, revokedAt: IsNull(), expiresAt: MoreThan(new Date()) });
  }

  private async ownersOf(jtis: string[]): Promise<(number | undefined)[]> {
    const rows = await this.database.run<{ jti: string; user_id: number }>(FIND_LIVE, [jtis]);
    const owners = new Map(rows.map(({ jti, user_id }) => [jti, user_id]));
    return jtis.map((jti) => owners.get(jti));
  }
}
