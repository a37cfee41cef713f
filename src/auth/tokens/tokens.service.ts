import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, IsNull, Raw, type Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { Database } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import type { User } from '../../users/user.entity.js';
import type { Principal } from './current-user.decorator.js';
import { Token } from './token.entity.js';
import { TOKEN_LIFETIME_SECONDS } from './token-lifetime.js';
import { FIND_LIVE_TOKEN, ISSUE_TOKEN } from './tokens.statements.js';

interface IssuedClaims {
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

/** Issues, checks and revokes access tokens. */
@Injectable()
export class TokensService {
  constructor(
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly database: Database,
    private readonly jwt: JwtService,
    private readonly audit: AuditService,
    housekeeping: Housekeeping,
  ) {
    // Expired tokens stay for five minutes, as the clocks of instances may differ.
    const where = `expires_at < now() - interval '5 minutes'`;
    housekeeping.add({ table: 'tokens', key: 'jti', where });
  }

  /**
   * Issues a token and records for what; undefined if the account was disabled or got another
   * password meanwhile.
   */
  async issue(
    { id, passwordVersion }: Pick<User, 'id' | 'passwordVersion'>,
    { action, clientAddress }: { readonly action: string; readonly clientAddress: string | null },
    transaction?: EntityManager,
  ): Promise<string | undefined> {
    const values = [id, passwordVersion, TOKEN_LIFETIME_SECONDS, action, clientAddress];
    const [claims] = await this.database.run<IssuedClaims>(ISSUE_TOKEN, values, transaction);
    return claims && this.jwt.sign({ sub: String(id), ...claims });
  }

  /** Says whether a token was issued to the user and not revoked. */
  async isLive({ userId, tokenId }: Principal): Promise<boolean> {
    return (await this.database.run(FIND_LIVE_TOKEN, [tokenId, userId])).length > 0;
  }

  /** Revokes the presented token, or all of its user. Returns how many were revoked. */
  revoke({ userId, tokenId }: Principal, all: boolean, clientAddress: string): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const revoked = await this.revokeOf(userId, all ? {} : { jti: tokenId }, transaction);
      const details = { revoked, ...(all ? { all } : { token_id: tokenId }) };
      const event = { actor: `user:${userId}`, action: 'token revoke', clientAddress, details };
      await this.audit.record({ ...event, outcome: 'success' }, transaction);
      return revoked;
    });
  }

  /** Revokes the live tokens of a user that meet the condition, and returns their number. */
  async revokeOf(
    userId: number,
    which: FindOptionsWhere<Token> = {},
    manager = this.tokens.manager,
  ): Promise<number> {
    const expiresAt = Raw((column) => `${column} > now()`);
    const live = { ...which, userId, expiresAt, revokedAt: IsNull() };
    const { affected } = await manager.update(Token, live, { revokedAt: () => 'now()' });
    return affected ?? 0;
  }
}
