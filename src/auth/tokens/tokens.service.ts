import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { AuditService } from '../../audit/audit.service.js';
import { Database } from '../../database/database.js';
import type { User } from '../../users/user.entity.js';
import type { Principal } from './current-user.decorator.js';
import { Keyring } from './keyring.js';
import { TokensRepository } from './tokens.repository.js';

export const TOKEN_LIFETIME_SECONDS = 7200;

type Account = Pick<User, 'id' | 'passwordVersion'>;

/** Issues, checks and revokes access tokens. */
@Injectable()
export class TokensService {
  constructor(
    private readonly tokens: TokensRepository,
    private readonly jwt: JwtService,
    private readonly keyring: Keyring,
    private readonly audit: AuditService,
    private readonly database: Database,
  ) {}

  /** Undefined where the account changed meanwhile. */
  async issue(account: Account): Promise<{ token: string; tokenId: string } | undefined> {
    const claims = await this.register(account);
    return claims && { token: this.jwt.sign(claims), tokenId: claims.jti };
  }

  /** Stores a token without signing it: commands have no secret. Undefined as in `issue`. */
  async register({ id: userId, passwordVersion }: Account) {
    const jti = randomUUID();
    const issuedAt = this.keyring.now();
    const expiresAt = issuedAt + TOKEN_LIFETIME_SECONDS;
    if (!(await this.tokens.insert({ jti, userId, passwordVersion, issuedAt, expiresAt })))
      return undefined;
    return { sub: String(userId), jti, iat: issuedAt, exp: expiresAt };
  }

  async isLive({ userId, tokenId }: Principal): Promise<boolean> {
    return (await this.tokens.findLiveOwner(tokenId)) === userId;
  }

  async revoke(
    { userId, tokenId }: Principal,
    all: boolean,
    clientAddress: string,
  ): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const revoked = all
        ? await this.tokens.revokeAllOf(userId, transaction.manager)
        : await this.tokens.revoke(tokenId, transaction.manager);
      const details = all ? { all, revoked } : { token_id: tokenId, revoked };
      const actor = `user:${userId}`;
      await this.audit.record(
        { actor, action: 'token revoke', clientAddress, outcome: 'success', details },
        transaction,
      );
      return revoked;
    });
  }

  async revokeAllOf(userId: number): Promise<number> {
    return this.tokens.revokeAllOf(userId);
  }

  async countLive(userId: number): Promise<number> {
    return this.tokens.countLive(userId);
  }
}
