import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import type { Account } from '../../users/credentials.service.js';
import type { Principal } from '../current-user.decorator.js';
import { Keyring } from './keyring.js';
import { TokensRepository } from './tokens.repository.js';

/** Seconds for which a token is valid (the contract, Limits). */
export const TOKEN_LIFETIME_SECONDS = 7200;

/** A token, and its `jti`. */
export interface IssuedToken {
  readonly token: string;
  readonly tokenId: string;
}

/** Issues access tokens, knows which are live, and takes them back. */
@Injectable()
export class TokensService {
  constructor(
    private readonly tokens: TokensRepository,
    private readonly keyring: Keyring,
    private readonly audit: AuditService,
  ) {}

  /** A new token; undefined where the account was disabled, or its password changed, since it was read. */
  async issue({ id: userId, passwordVersion }: Account): Promise<IssuedToken | undefined> {
    const jti = randomUUID();
    const issuedAt = Math.floor(Date.now() / 1000);
    const expiresAt = issuedAt + TOKEN_LIFETIME_SECONDS;
    if (!(await this.tokens.insert({ jti, userId, passwordVersion, issuedAt, expiresAt }))) return undefined;
    const token = this.keyring.sign({ sub: String(userId), jti, iat: issuedAt, exp: expiresAt });
    return { token, tokenId: jti };
  }

  /** Whether the token was issued to this very user and not revoked since. One indexed read. */
  async isLive(principal: Principal): Promise<boolean> {
    return (await this.tokens.findLiveOwner(principal.tokenId)) === principal.userId;
  }

  /** At its bearer's wish: the presented token, or all of its owner's. How many were taken back. */
  async revoke({ userId, tokenId }: Principal, all: boolean, clientAddress: string): Promise<number> {
    const revoked = all ? await this.tokens.revokeAllOf(userId) : await this.tokens.revoke(tokenId);
    await this.audit.record({
      actor: `user:${userId}`,
      action: 'token revoke',
      clientAddress,
      outcome: 'success',
      details: all ? { all, revoked } : { token_id: tokenId, revoked },
    });
    return revoked;
  }

  /** At an administrator's wish. How many live tokens the user had. */
  async revokeAllOf(userId: number): Promise<number> {
    return this.tokens.revokeAllOf(userId);
  }

  /** How many tokens of the user would be accepted now. */
  async countLive(userId: number): Promise<number> {
    return this.tokens.countLive(userId);
  }
}
