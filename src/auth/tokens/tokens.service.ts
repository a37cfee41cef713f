import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, IsNull, Raw, type Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { PeopleConfig } from '../../config/people.config.js';
import { Database } from '../../database/database.js';
import type { User } from '../../users/user.entity.js';
import type { Principal } from './current-user.decorator.js';
import { Token } from './token.entity.js';
import { TOKEN_LIFETIME_SECONDS } from './token-lifetime.js';
import type { Restriction } from './tokens.errors.js';
import { FIND_LIVE_TOKEN, ISSUE_TOKEN } from './tokens.statements.js';

/** What a token is issued for, as the audit log names it. */
export interface IssueEvent {
  readonly action: string;
  readonly clientAddress: string | null;
  readonly details?: object;
  readonly isByCompany?: boolean;
}

export interface IssuedToken {
  readonly token: string;
  /** What its user has to do first: other routes than those of `auth/` answer with this error. */
  readonly restricted: Restriction | null;
}

interface IssuedClaims {
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly restricted: Restriction | null;
}

/** Issues, checks and revokes access tokens. */
@Injectable()
export class TokensService {
  constructor(
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly database: Database,
    private readonly jwt: JwtService,
    private readonly audit: AuditService,
    private readonly config: PeopleConfig,
  ) {}

  /**
   * Issues a token and records for what; undefined if the account was disabled or got another
   * password meanwhile.
   */
  async issue(
    { id, passwordVersion }: Pick<User, 'id' | 'passwordVersion'>,
    { action, clientAddress, details = {}, isByCompany = false }: IssueEvent,
    transaction?: EntityManager,
  ): Promise<IssuedToken | undefined> {
    const isRequired = this.config.SECOND_FACTOR === 'required';
    const version = [id, passwordVersion, TOKEN_LIFETIME_SECONDS];
    const values = [...version, action, clientAddress, details, isByCompany, isRequired];
    const [issued] = await this.database.run<IssuedClaims>(ISSUE_TOKEN, values, transaction);
    if (!issued) return undefined;
    const { restricted, ...claims } = issued;
    const token = this.jwt.sign({ sub: String(id), ...claims, ...(restricted && { restricted }) });
    return { token, restricted };
  }

  /** Says whether a token was issued to the user and not revoked. */
  async isLive({ userId, tokenId }: Principal): Promise<boolean> {
    return (await this.database.run(FIND_LIVE_TOKEN, [tokenId, userId])).length > 0;
  }

  /** Lists the live tokens of a user, the latest first. */
  list(userId: number): Promise<Token[]> {
    return this.tokens.find({ where: live({ userId }), order: { issuedAt: 'DESC' }, take: 100 });
  }

  /** Revokes some tokens of the caller. Returns how many were revoked. */
  revoke(
    { userId }: Principal,
    which: FindOptionsWhere<Token>,
    clientAddress: string,
  ): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const revoked = await this.revokeOf(userId, which, transaction);
      const details = { revoked, ...('jti' in which ? { token_id: which.jti } : { all: true }) };
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
    const change = { revokedAt: () => 'now()' };
    const { affected } = await manager.update(Token, live({ ...which, userId }), change);
    return affected ?? 0;
  }
}

const live = (which: FindOptionsWhere<Token>): FindOptionsWhere<Token> => {
  return { ...which, expiresAt: Raw((column) => `${column} > now()`), revokedAt: IsNull() };
};
