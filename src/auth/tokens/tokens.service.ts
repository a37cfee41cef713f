import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, type EntityManager, type FindOptionsWhere, type Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { Batcher } from '../../database/batcher.js';
import { Database } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import type { User } from '../../users/user.entity.js';
import type { Principal } from './current-user.decorator.js';
import { Token } from './token.entity.js';
import { EXPIRED_TOKENS, FIND_LIVE_TOKENS, INSERT_TOKEN } from './tokens.statements.js';

export const TOKEN_LIFETIME_SECONDS = 7200;

/** Issues, checks and revokes access tokens. */
@Injectable()
export class TokensService {
  /** Checks of tokens at the same moment share a read; nothing is kept between reads. */
  private readonly checks = new Batcher<string, number | undefined>((jtis) => this.ownersOf(jtis), {
    name: 'token_checks',
    maxConcurrency: 2,
    maxBatchSize: 64,
  });

  constructor(
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly database: Database,
    private readonly jwt: JwtService,
    private readonly audit: AuditService,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(EXPIRED_TOKENS);
  }

  /** Issues a token; undefined if the account was disabled or got another password meanwhile. */
  async issue({ id, passwordVersion }: Pick<User, 'id' | 'passwordVersion'>) {
    const jti = randomUUID();
    const values = [jti, id, passwordVersion, TOKEN_LIFETIME_SECONDS];
    const [issued] = await this.database.run<{ iat: number }>(INSERT_TOKEN, values);
    if (!issued) return undefined;
    const claims = {
      sub: String(id),
      jti,
      iat: issued.iat,
      exp: issued.iat + TOKEN_LIFETIME_SECONDS,
    };
    return { token: this.jwt.sign(claims), tokenId: jti };
  }

  /** Says whether a token was issued to the user and not revoked. */
  async isLive({ userId, tokenId }: Principal): Promise<boolean> {
    return (await this.checks.add(tokenId)) === userId;
  }

  /** Revokes the presented token, or all of its user. Returns how many were revoked. */
  async revoke(
    { userId, tokenId }: Principal,
    all: boolean,
    clientAddress: string,
  ): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const which = all ? liveOf(userId) : { jti: tokenId, revokedAt: IsNull() };
      const revoked = await setRevoked(which, transaction);
      const details = all ? { all, revoked } : { token_id: tokenId, revoked };
      const event = { actor: `user:${userId}`, action: 'token revoke', clientAddress, details };
      await this.audit.record({ ...event, outcome: 'success' }, transaction);
      return revoked;
    });
  }

  revokeAllOf(userId: number): Promise<number> {
    return setRevoked(liveOf(userId), this.tokens.manager);
  }

  countLive(userId: number): Promise<number> {
    return this.tokens.countBy(liveOf(userId));
  }

  private async ownersOf(jtis: string[]): Promise<(number | undefined)[]> {
    const rows = await this.database.run<Pick<Token, 'jti' | 'userId'>>(FIND_LIVE_TOKENS, [jtis]);
    const owners = new Map(rows.map(({ jti, userId }) => [jti, userId]));
    return jtis.map((jti) => owners.get(jti));
  }
}

function liveOf(userId: number): FindOptionsWhere<Token> {
  return { userId, revokedAt: IsNull(), expiresAt: Raw((column) => `${column} > now()`) };
}

async function setRevoked(which: FindOptionsWhere<Token>, manager: EntityManager): Promise<number> {
  const { affected } = await manager.update(Token, which, { revokedAt: () => 'now()' });
  return affected ?? 0;
}
