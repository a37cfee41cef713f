import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import type { User } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { AccountDisabled, WrongCredentials, WrongCurrentPassword } from './login.errors.js';
import {
  type LoginAttempt,
  LoginFailuresService,
  logins,
  type RightLogin,
} from './login-failures.service.js';

/** What a password is compared for, as the audit log names it. */
type Action = 'login' | 'password change';

export interface PasswordChange {
  readonly current: string;
  readonly next: string;
}

/** Decides about passwords, and issues the tokens of right logins. */
@Injectable()
export class LoginService {
  /** Outcomes of the attempts in progress, by user, address and password. */
  private readonly inProgress = new Map<string, Promise<unknown>>();

  constructor(
    private readonly failures: LoginFailuresService,
    private readonly passwords: PasswordsService,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

  /** Throws for an attempt whose password would find no turn to be compared, or that is locked. */
  assertAllowed(attempt: LoginAttempt): void {
    this.passwords.assertCapacity(attempt.acquaintance);
    this.failures.assertNotLocked(attempt);
  }

  /**
   * Throws unless the password is right and the account enabled. Identical attempts at the same
   * moment share one outcome and count as one.
   */
  async authenticate(attempt: LoginAttempt, password: string): Promise<RightLogin> {
    const key = JSON.stringify([attempt.pairKey, attempt.passwordHash, password]);
    const outcome =
      this.inProgress.get(key) ??
      this.compare(attempt, password).finally(() => this.inProgress.delete(key));
    this.inProgress.set(key, outcome);
    await outcome;
    return attempt as RightLogin;
  }

  /** Returns the hash of a next password; a wrong current one counts as a failed login. */
  async confirm(
    { username }: Pick<User, 'username'>,
    clientAddress: string,
    { current, next }: PasswordChange,
  ): Promise<[RightLogin, string]> {
    const attempt = await this.failures.findAttempt(username, clientAddress);
    this.assertAllowed(attempt);
    const hashed = await this.decide(attempt, 'password change', () =>
      this.passwords.replace(current, next, attempt),
    );
    return [attempt as RightLogin, hashed!];
  }

  rememberAddress(attempt: RightLogin, transaction: EntityManager): Promise<void> {
    return this.failures.succeed(attempt, transaction);
  }

  async issueToken(attempt: RightLogin): Promise<string> {
    const token = await this.tokens.issue(attempt, { ...attempt, action: 'login' });
    if (token === undefined) return this.refuse(attempt, await this.users.isDisabled(attempt.id));
    logins.inc({ outcome: 'success' });
    return token;
  }

  private async compare(attempt: LoginAttempt, password: string): Promise<void> {
    await this.decide(attempt, 'login', () => this.passwords.matches(password, attempt));
    const { id, passwordHash } = attempt as RightLogin;
    // This is not awaited, as hashing takes long. If it fails, the next login tries again.
    if (this.passwords.isOutdated(passwordHash))
      this.users.renewHash(id, passwordHash, password).catch(() => undefined);
  }

  /** Counts the attempt as a failure before it compares; takes it back unless that was right. */
  private async decide<Result>(
    attempt: LoginAttempt,
    action: Action,
    compare: () => Promise<Result>,
  ): Promise<Result> {
    await this.failures.countAttempt(attempt);
    const result = await compare().catch(async (error: unknown) => {
      await this.failures.takeBack(attempt); // the password was not compared
      throw error;
    });
    if (!result || attempt.id === null) {
      await this.failures.countWrong(attempt);
      await this.record(attempt, action, 'failure');
      throw action === 'login' ? new WrongCredentials() : new WrongCurrentPassword();
    }
    if (attempt.disabled) {
      await this.failures.takeBack(attempt);
      return this.refuse(attempt, true, action);
    }
    await this.failures.succeed(attempt);
    return result;
  }

  /** Refuses a right password: the account is disabled, or has got another password meanwhile. */
  private async refuse(
    attempt: LoginAttempt,
    isDisabled: boolean,
    action: Action = 'login',
  ): Promise<never> {
    const reason = isDisabled ? 'account disabled' : 'password changed';
    await this.record(attempt, action, 'refused', { reason });
    throw isDisabled ? new AccountDisabled() : new WrongCredentials();
  }

  private async record(
    { accountKey: actor, clientAddress }: LoginAttempt,
    action: Action,
    outcome: 'failure' | 'refused',
    details = {},
  ): Promise<void> {
    logins.inc({ outcome: outcome === 'refused' ? 'disabled' : outcome });
    await this.audit.record({ actor, action, clientAddress, outcome, details });
  }
}
