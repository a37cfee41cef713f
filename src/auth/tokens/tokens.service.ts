import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, IsNull, Raw, type Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { PeopleConfig } from '../../config/people.config.js';
import { Database } from '../../database/database.js';
import type { User } from '../../users/user.entity.js';
import type { Principal } from './current-user.decorator.js';
import type { LoginResponse, Session } from './sessions.dto.js';
import { Token } from './token.entity.js';
import { TOKEN_LIFETIME_SECONDS } from './token-lifetime.js';
import { FIND_LIVE_TOKEN, ISSUE_TOKEN } from './tokens.statements.js';

/** What a token is issued for, as the audit log names it. */
interface IssueEvent {
  readonly action: string;
  readonly clientAddress: string | null;
  readonly isByCompany?: boolean;
}

type IssuedToken = Pick<LoginResponse, 'restricted' | 'last_login_at'> & {
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  /** Whether the user is told of the login before. */
  readonly isTold: boolean;
};

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
    { action, clientAddress, isByCompany = false }: IssueEvent,
    transaction?: EntityManager,
  ): Promise<LoginResponse | undefined> {
    const isRequired = this.config.SECOND_FACTOR === 'required';
    const token = [id, passwordVersion, TOKEN_LIFETIME_SECONDS];
    const values = [...token, action, clientAddress, isByCompany, isRequired];
    const [issued] = await this.database.run<IssuedToken>(ISSUE_TOKEN, values, transaction);
    if (!issued) return undefined;
    const { jti, iat, exp, restricted, isTold, ...told } = issued;
    const restriction = restricted && { restricted };
    return {
      access_token: this.jwt.sign({ sub: String(id), jti, iat, exp, ...restriction }),
      token_type: 'Bearer',
      expires_in: TOKEN_LIFETIME_SECONDS,
      ...restriction,
      ...(isTold && told),
    };
  }

  /** Says whether a token was issued to the user and not revoked. */
  async isLive({ userId, tokenId }: Pick<Principal, 'userId' | 'tokenId'>): Promise<boolean> {
    return (await this.database.run(FIND_LIVE_TOKEN, [tokenId, userId])).length > 0;
  }

  /** Lists where the caller is signed in, the latest first. */
  async list({ userId, tokenId }: Principal): Promise<Session[]> {
    const latest = { where: live({ userId }), order: { issuedAt: 'DESC' }, take: 100 } as const;
    return (await this.tokens.find(latest)).map(({ jti: id, issuedAt: since, clientAddress }) => {
      return { id, since, address: clientAddress, current: id === tokenId };
    });
  }

  /** Revokes some tokens of the caller. Returns how many were revoked. */
  revoke({ userId, clientAddress }: Principal, which: FindOptionsWhere<Token>): Promise<number> {
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
