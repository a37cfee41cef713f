import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import type { User } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import {
  AccountDisabled,
  CodeRequired,
  PasswordNotAllowed,
  WrongCode,
  WrongCredentials,
  WrongCurrentCode,
  WrongCurrentPassword,
} from './login.errors.js';
import {
  type LoginAttempt,
  LoginFailuresService,
  logins,
  type RightLogin,
} from './login-failures.service.js';
import { SecondFactorService } from './second-factor.service.js';

/** What a password is compared for, as the audit log names it, and the errors of wrong secrets. */
const ACTIONS = {
  login: { password: WrongCredentials, code: WrongCode },
  'password change': { password: WrongCurrentPassword, code: WrongCurrentCode },
  'second factor removal': { password: WrongCurrentPassword, code: WrongCurrentCode },
} as const;
type Action = keyof typeof ACTIONS;

/** What a right password is refused for, and the error that says so. */
const REFUSALS = {
  'account disabled': AccountDisabled,
  'password changed': WrongCredentials,
  'company account': PasswordNotAllowed,
} as const;

export interface PasswordChange {
  readonly current: string;
  readonly next: string;
}

/** Decides about passwords and codes. */
@Injectable()
export class LoginService {
  /** Outcomes of the attempts in progress, by user, address and password. */
  private readonly inProgress = new Map<string, Promise<unknown>>();

  constructor(
    private readonly failures: LoginFailuresService,
    private readonly passwords: PasswordsService,
    private readonly users: UsersService,
    private readonly secondFactors: SecondFactorService,
    private readonly audit: AuditService,
  ) {}

  /** Throws for an attempt whose password would find no turn to be compared, or that is locked. */
  assertAllowed(attempt: LoginAttempt): void {
    this.passwords.assertCapacity(attempt.acquaintance);
    this.failures.assertNotLocked(attempt);
  }

  /**
   * Throws unless password and code are right and the account enabled. Identical attempts at the
   * same moment share one outcome and count as one, but for a code, which is good once.
   */
  async authenticate(attempt: LoginAttempt, password: string, code?: string): Promise<RightLogin> {
    const key = JSON.stringify([attempt.pairKey, attempt.passwordHash, password]);
    const outcome =
      (attempt.hasSecondFactor ? undefined : this.inProgress.get(key)) ??
      this.compare(attempt, password, code).finally(() => this.inProgress.delete(key));
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

  /** Throws unless password and code are right; wrong ones count as failed logins. */
  async confirmRemoval(
    { username }: Pick<User, 'username'>,
    clientAddress: string,
    { password, code }: { readonly password: string; readonly code: string },
  ): Promise<void> {
    const attempt = await this.failures.findAttempt(username, clientAddress);
    this.assertAllowed(attempt);
    const compare = () => this.passwords.matches(password, attempt);
    await this.decide(attempt, 'second factor removal', compare, code);
  }

  rememberAddress(attempt: RightLogin, transaction: EntityManager): Promise<void> {
    return this.failures.succeed(attempt, transaction);
  }

  /** Refuses a right password, and records why. */
  async refuse(
    attempt: LoginAttempt,
    reason: keyof typeof REFUSALS,
    action: Action = 'login',
  ): Promise<never> {
    await this.record(attempt, action, 'refused', { reason });
    throw new REFUSALS[reason]();
  }

  private async compare(attempt: LoginAttempt, password: string, code?: string): Promise<void> {
    await this.decide(attempt, 'login', () => this.passwords.matches(password, attempt), code);
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
    code?: string,
  ): Promise<Result> {
    await this.failures.countAttempt(attempt);
    const result = await compare().catch(async (error: unknown) => {
      await this.failures.takeBack(attempt); // the password was not compared
      throw error;
    });
    if (!result || attempt.id === null) return this.fail(attempt, action, 'password');
    if (attempt.disabled || attempt.isPasswordless) {
      await this.failures.takeBack(attempt);
      const reason = attempt.disabled ? 'account disabled' : 'company account';
      return this.refuse(attempt, reason, action);
    }
    if (action !== 'password change') await this.checkCode(attempt as RightLogin, action, code);
    await this.failures.succeed(attempt);
    return result;
  }

  /** Asks a person with a second factor for a code. A right password alone clears no counter. */
  private async checkCode(attempt: RightLogin, action: Action, code?: string): Promise<void> {
    if (!attempt.hasSecondFactor || !this.secondFactors.isOffered) return;
    if (code === undefined) {
      await this.failures.takeBack(attempt);
      throw new CodeRequired();
    }
    await this.failures.countCode(attempt);
    const kind = await this.secondFactors.use(attempt.id, code);
    if (!kind) return this.fail(attempt, action, 'code');
    await this.failures.clearCodes(attempt);
    if (kind === 'recovery code')
      await this.audit.record({ ...eventOf(attempt), action: kind, outcome: 'success' });
  }

  private async fail(
    attempt: LoginAttempt,
    action: Action,
    wrong: 'password' | 'code',
  ): Promise<never> {
    await this.failures.countWrong(attempt);
    await this.record(attempt, action, 'failure', wrong === 'code' ? { wrong } : {});
    throw new ACTIONS[action][wrong]();
  }

  private async record(
    attempt: LoginAttempt,
    action: Action,
    outcome: 'failure' | 'refused',
    details: object,
  ): Promise<void> {
    logins.inc({ outcome: outcome === 'refused' ? 'disabled' : outcome });
    await this.audit.record({ ...eventOf(attempt), action, outcome, details });
  }
}

function eventOf({ accountKey: actor, clientAddress }: LoginAttempt) {
  return { actor, clientAddress };
}
