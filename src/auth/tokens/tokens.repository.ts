import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, type EntityManager, type FindOptionsWhere, type Repository } from 'typeorm';
import { Batcher } from '../../database/batcher.js';
import { Database } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { Token } from './token.entity.js';

/** Times in seconds since 1970. */
export interface NewToken {
  readonly jti: string;
  readonly userId: number;
  readonly passwordVersion: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** FOR SHARE orders this with `user disable` and `set-password`: whichever commits first is seen. */
const INSERT_TOKEN = {
  name: 'insert_token',
  text: `
    INSERT INTO tokens (jti, user_id, issued_at, expires_at)
    SELECT $1, id, to_timestamp($4), to_timestamp($5)
    FROM (
      SELECT id FROM users
      WHERE id = $2 AND password_version = $3 AND disabled_at IS NULL
      FOR SHARE
    ) AS account
    RETURNING jti`,
};

const FIND_LIVE = {
  name: 'find_live_tokens',
  text: 'SELECT jti, user_id FROM tokens WHERE jti = ANY ($1::uuid[]) AND revoked_at IS NULL',
};

/** Later than they expire: the instances' clocks differ. */
const EXPIRED = {
  table: 'tokens',
  key: 'jti',
  where: `expires_at < now() - interval '5 minutes'`,
};

@Injectable()
export class TokensRepository {
  /** Nothing is cached between reads. */
  private readonly reads = new Batcher<string, number | undefined>((jtis) => this.ownersOf(jtis), {
    name: 'token_checks',
    maxConcurrency: 2,
    maxBatchSize: 64,
  });

  constructor(
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
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
    const values = [jti, userId, passwordVersion, issuedAt, expiresAt];
    return (await this.database.run(INSERT_TOKEN, values)).length > 0;
  }

  async revoke(jti: string, manager: EntityManager): Promise<number> {
    return this.setRevoked({ jti, revokedAt: IsNull() }, manager);
  }

  async revokeAllOf(userId: number, manager = this.tokens.manager): Promise<number> {
    return this.setRevoked(liveOf(userId), manager);
  }

  async countLive(userId: number): Promise<number> {
    return this.tokens.countBy(liveOf(userId));
  }

  private async setRevoked(
    where: FindOptionsWhere<Token>,
    manager: EntityManager,
  ): Promise<number> {
    const { affected } = await manager.update(Token, where, { revokedAt: () => 'now()' });
    return affected ?? 0;
  }

  private async ownersOf(jtis: string[]): Promise<(number | undefined)[]> {
    const rows = await this.database.run<{ jti: string; user_id: number }>(FIND_LIVE, [jtis]);
    const owners = new Map(rows.map(({ jti, user_id }) => [jti, user_id]));
    return jtis.map((jti) => owners.get(jti));
  }
}

function liveOf(userId: number): FindOptionsWhere<Token> {
  return { userId, revokedAt: IsNull(), expiresAt: Raw((column) => `${column} > now()`) };
}
