import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { User } from '../../users/user.entity.js';
import type { Principal } from '../principal.js';
import { Keyring } from './keyring.js';
import { TokensRepository } from './tokens.repository.js';

/** Seconds for which a token is valid (the contract, Limits). */
export const TOKEN_LIFETIME_SECONDS = 7200;

/** Issues access tokens, knows which are live, and takes them back. */
@Injectable()
export class TokensService {
  constructor(
    private readonly tokens: TokensRepository,
    private readonly keyring: Keyring,
  ) {}

  /** A new token; undefined where the account was disabled, or its password changed, since `user` was read. */
  async issue(user: Pick<User, 'id' | 'passwordHash'>): Promise<string | undefined> {
    const jti = randomUUID();
    const issuedAt = Math.floor(Date.now() / 1000);
    const expiresAt = issuedAt + TOKEN_LIFETIME_SECONDS;
    const issued = await this.tokens.insert({
      jti,
      userId: user.id,
      passwordHash: user.passwordHash,
      issuedAt,
      expiresAt,
    });
    if (!issued) return undefined;
    return this.keyring.current.jwt.sign({ sub: String(user.id), jti, iat: issuedAt, exp: expiresAt });
  }

  /** Whether the token was issued to this very user and not revoked since. One indexed read. */
  async isLive(principal: Principal): Promise<boolean> {
    return (await this.tokens.findLiveOwner(principal.tokenId)) === principal.userId;
  }

  async revoke(tokenId: string): Promise<void> {
    await this.tokens.revoke(tokenId);
  }

  /** How many live tokens the user had. */
  async revokeAllOf(userId: number): Promise<number> {
    return this.tokens.revokeAllOf(userId);
  }
}
