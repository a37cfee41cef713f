import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { Database } from '../../database/database.js';
import { UsersService } from '../../users/users.service.js';
import type { Principal } from '../tokens/current-user.decorator.js';
import { TokenInvalid } from '../tokens/tokens.errors.js';
import { type IssuedToken, TokensService } from '../tokens/tokens.service.js';
import { SecondFactorExists, SecondFactorNotOffered, WrongCurrentCode } from './login.errors.js';
import { SecondFactorService } from './second-factor.service.js';

/** Lets people set up their second factor. */
@Injectable()
export class SecondFactorChangeService {
  constructor(
    private readonly database: Database,
    private readonly secondFactors: SecondFactorService,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

  async read({ userId }: Principal) {
    const user = await this.users.getById(userId);
    const isOffered = this.secondFactors.isOffered && user.kind === 'person';
    const confirmedAt = (await this.secondFactors.find(userId))?.confirmedAt ?? null;
    const recoveryCodes = await this.secondFactors.countRecoveryCodes(userId);
    return { isOffered, confirmedAt, recoveryCodes, username: user.username };
  }

  /** Makes a secret, which replaces one that was not confirmed. */
  async begin(principal: Principal): Promise<{ secret: string; username: string }> {
    const { isOffered, confirmedAt, username } = await this.read(principal);
    if (!isOffered) throw new SecondFactorNotOffered();
    if (confirmedAt) throw new SecondFactorExists();
    return { secret: await this.secondFactors.makeSecret(principal.userId), username };
  }

  /** Begins to ask for codes, and ends all tokens of the user; returns a fresh one. */
  confirm(
    { userId }: Principal,
    clientAddress: string,
    code: string,
  ): Promise<IssuedToken & { recoveryCodes: string[] }> {
    return this.database.transaction(async (transaction) => {
      const recoveryCodes = await this.secondFactors.confirm(userId, code, transaction);
      if (!recoveryCodes) throw new WrongCurrentCode();
      await this.tokens.revokeOf(userId, {}, transaction);
      const user = await this.users.getById(userId);
      const event = { action: 'second factor setup', clientAddress };
      const issued = await this.tokens.issue(user, event, transaction);
      if (!issued) throw new TokenInvalid(); // the account was disabled meanwhile
      return { ...issued, recoveryCodes };
    });
  }

  /** Forgets the second factor of the caller, who has confirmed it by password and code. */
  remove({ userId }: Principal, clientAddress: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const event = { actor: `user:${userId}`, action: 'second factor removal', clientAddress };
      await this.audit.record({ ...event, outcome: 'success' }, transaction);
      return this.secondFactors.remove(userId, transaction);
    });
  }
}
