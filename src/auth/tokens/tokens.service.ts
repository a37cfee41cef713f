import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, type EntityManager, type FindOptionsWhere, type Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { Database } from '../../database/database.js';
import type { User } from '../../users/user.entity.js';
import type { Principal } from './current-user.decorator.js';
import { Token } from './token.entity.js';
import { TokensRepository } from './tokens.repository.js';

export const TOKEN_LIFETIME_SECONDS = 7200;

/** Issues, checks and revokes access tokens. */
@Injectable()
export class TokensService {
  constructor(
    @InjectRepository(Token) private readonly stored: Repository<Token>,
    private readonly tokens: TokensRepository,
    private readonly jwt: JwtService,
    private readonly audit: AuditService,
    private readonly database: Database,
  ) {}

  /** Issues a token; undefined if the account was disabled or got another password meanwhile. */
  async issue({ id, passwordVersion }: Pick<User, 'id' | 'passwordVersion'>) {
    const jti = randomUUID();
    const iat = await this.tokens.insert(jti, id, passwordVersion, TOKEN_LIFETIME_SECONDS);
    if (iat === undefined) return undefined;
    const claims = { sub: String(id), jti, iat, exp: iat + TOKEN_LIFETIME_SECONDS };
    return { token: this.jwt.sign(claims), tokenId: jti };
  }

  async isLive({ userId, tokenId }: Principal): Promise<boolean> {
    return (await this.tokens.findLiveOwner(tokenId)) === userId;
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
      const actor = `user:${userId}`;
      await this.audit.record(
        { actor, action: 'token revoke', clientAddress, outcome: 'success', details },
        transaction,
      );
      return revoked;
    });
  }

  revokeAllOf(userId: number): Promise<number> {
    return setRevoked(liveOf(userId), this.stored.manager);
  }

  countLive(userId: number): Promise<number> {
    return this.stored.countBy(liveOf(userId));
  }
}

function liveOf(userId: number): FindOptionsWhere<Token> {
  return { userId, revokedAt: IsNull(), expiresAt: Raw((column) => `${column} > now()`) };
}

async function setRevoked(which: FindOptionsWhere<Token>, manager: EntityManager): Promise<number> {
  const { affected } = await manager.update(Token, which, { revokedAt: () => 'now()' });
  return affected ?? 0;
}
