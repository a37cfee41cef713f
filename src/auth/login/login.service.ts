import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import type { Outcome } from '../../audit/audit-event.entity.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { UsersService } from '../../users/users.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { AccountDisabled, WrongCredentials, WrongCurrentPassword } from './login.errors.js';
import { type LoginAttempt, LoginFailuresService, logins } from './login-failures.service.js';

/** What a password is compared for, as the audit log names it. */
type Action = 'login' | 'password change';

/** Authenticates login attempts and issues their tokens. */
@Injectable()
export class LoginService {
  /** Outcomes of the attempts in progress, by user, address and password. */
  private readonly inProgress = new Map<string, Promise<void>>();

  constructor(
    private readonly failures: LoginFailuresService,
    private readonly passwords: PasswordsService,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Throws unless the password is right and the account enabled. Identical attempts at the same
   * moment share one outcome and count as one.
   */
  authenticate(attempt: LoginAttempt, password: string, action: Action = 'login'): Promise<void> {
    const key = JSON.stringify([action, attempt.pairKey, attempt.passwordHash, password]);
    const outcome =
      this.inProgress.get(key) ??
      this.compare(attempt, password, action).finally(() => this.inProgress.delete(key));
    this.inProgress.set(key, outcome);
    return outcome;
  }

  /** Throws unless this is the password of a user; a wrong one counts as a failed login. */
  async confirm(username: string, clientAddress: string, password: string): Promise<LoginAttempt> {
    const attempt = await this.failures.findAttempt(username, clientAddress);
    this.passwords.assertCapacity(attempt.isKnown);
    this.failures.assertNotLocked(attempt);
    await this.authenticate(attempt, password, 'password change');
    return attempt;
  }

  /** Records a changed password; the address stays known, as the user has logged in there anew. */
  async recordChange(attempt: LoginAttempt, tokenId: string, transaction: EntityManager) {
    const success = { action: 'password change', details: { token_id: tokenId } } as const;
    await this.record(attempt, 'success', success, transaction);
    await this.failures.succeed(attempt, transaction);
  }

  async issueToken(attempt: LoginAttempt): Promise<string> {
    const id = attempt.userId!;
    const issued = await this.tokens.issue({ id, passwordVersion: attempt.passwordVersion! });
    if (!issued) return this.refuse(attempt, await this.users.isDisabled(id));
    await this.record(attempt, 'success', { details: { token_id: issued.tokenId } });
    return issued.token;
  }

  /** Counts the attempt as a failure before it compares; takes it back unless that was right. */
  private async compare(attempt: LoginAttempt, password: string, action: Action): Promise<void> {
    const { userId, passwordHash, isKnown } = attempt;
    await this.failures.countAttempt(attempt);
    const matching = this.passwords.matches(password, passwordHash, isKnown);
    const isRight = await matching.catch(async (error: unknown) => {
      await this.failures.takeBack(attempt); // the password was not compared
      throw error;
    });
    if (!isRight || userId === null) {
      await this.failures.countWrong(attempt);
      await this.record(attempt, 'failure', { action });
      throw action === 'login' ? new WrongCredentials() : new WrongCurrentPassword();
    }
    if (attempt.disabled) {
      await this.failures.takeBack(attempt);
      return this.refuse(attempt, true, action);
    }
    await this.failures.succeed(attempt);
    // This is not awaited, as hashing takes long. If it fails, the next login tries again.
    if (action === 'login' && this.passwords.isOutdated(passwordHash!))
      this.users.renewHash(userId, passwordHash!, password).catch(() => undefined);
  }

  /** Refuses a right password: the account is disabled, or has got another password meanwhile. */
  private async refuse(
    attempt: LoginAttempt,
    isDisabled: boolean,
    action: Action = 'login',
  ): Promise<never> {
    const reason = isDisabled ? 'account disabled' : 'password changed';
    await this.record(attempt, 'refused', { action, details: { reason } });
    throw isDisabled ? new AccountDisabled() : new WrongCredentials();
  }

  private async record(
    { accountKey: actor, clientAddress }: LoginAttempt,
    outcome: Outcome,
    { action = 'login', details = {} }: { readonly action?: Action; readonly details?: object },
    transaction?: EntityManager,
  ): Promise<void> {
    logins.inc({ outcome: outcome === 'refused' ? 'disabled' : outcome });
    await this.audit.record({ actor, action, clientAddress, outcome, details }, transaction);
  }
}
