import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { UsersService } from '../../users/users.service.js';
import type { Principal } from '../tokens/current-user.decorator.js';
import type { LoginResponse } from '../tokens/sessions.dto.js';
import { TokensService } from '../tokens/tokens.service.js';
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
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

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

  /** Issues the token of a right login. */
  async issue(login: RightLogin): Promise<LoginResponse> {
    const { id, clientAddress } = login;
    const issued = await this.tokens.issue(login, { action: 'login', clientAddress });
    if (!issued) {
      const isDisabled = await this.users.isDisabled(id);
      return this.refuse(login, 'login', isDisabled ? 'account disabled' : 'password changed');
    }
    logins.inc({ outcome: 'success' });
    return issued;
  }

  /** Compares the password of the caller, and a code; wrong ones count as failed logins. */
  async confirm<Result>(
    { userId, clientAddress }: Principal,
    action: Action,
    compare: (user: RightLogin) => Promise<Result | null>,
    code?: string,
  ): Promise<[RightLogin, Result]> {
    const { username } = await this.users.getById(userId);
    const user = (await this.failures.findAttempt(username, clientAddress)) as RightLogin;
    return [user, await this.decide(user, action, () => compare(user), code)];
  }

  async confirmRemoval(caller: Principal, password: string, code: string): Promise<void> {
    const compare = (user: RightLogin) => this.passwords.matches(password, user);
    await this.confirm(caller, 'second factor removal', compare, code);
  }

  private async compare(attempt: LoginAttempt, password: string, code?: string): Promise<void> {
    await this.decide(attempt, 'login', () => this.passwords.matches(password, attempt), code);
    const { id, passwordHash } = attempt as RightLogin;
    // This is not awaited, as hashing takes long. If it fails, the next login tries again.
    if (this.passwords.isOutdated(passwordHash))
      this.users.renewHash(id, passwordHash, password).catch(() => undefined);
  }

  /**
   * Throws if the attempt finds no turn to be compared, or is locked. Counts it as a failure before
   * it compares; takes it back unless that was right.
   */
  private async decide<Result>(
    attempt: LoginAttempt,
    action: Action,
    compare: () => Promise<Result | null>,
    code?: string,
  ): Promise<Result> {
    this.passwords.assertCapacity(attempt.acquaintance);
    this.failures.assertNotLocked(attempt);
    await this.failures.countAttempt('pair', attempt);
    const result = await compare().catch(async (error: unknown) => {
      await this.failures.takeBack(attempt); // the password was not compared
      throw error;
    });
    if (!result || attempt.id === null) return this.fail(attempt, action, 'password');
    if (attempt.disabled || attempt.isPasswordless) {
      await this.failures.takeBack(attempt);
      const reason = attempt.disabled ? 'account disabled' : 'company account';
      return this.refuse(attempt, action, reason);
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
    await this.failures.countAttempt('code', attempt);
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
    logins.inc({ outcome: 'failure' });
    const details = wrong === 'code' ? { wrong } : {};
    await this.audit.record({ ...eventOf(attempt), action, outcome: 'failure', details });
    throw new ACTIONS[action][wrong]();
  }

  /** Refuses a right password, and records why. */
  private async refuse(
    attempt: LoginAttempt,
    action: Action,
    reason: keyof typeof REFUSALS,
  ): Promise<never> {
    logins.inc({ outcome: 'disabled' });
    const details = { reason };
    await this.audit.record({ ...eventOf(attempt), action, outcome: 'refused', details });
    throw new REFUSALS[reason]();
  }
}

function eventOf({ accountKey: actor, clientAddress }: LoginAttempt) {
  return { actor, clientAddress };
}
