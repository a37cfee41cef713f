import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { Database } from '../../database/database.js';
import { Overloaded } from '../../http/errors/http.errors.js';
import type { ServiceError } from '../../http/errors/service-error.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { InvalidPassword } from '../../users/users.errors.js';
import { UsersService } from '../../users/users.service.js';
import type { Principal } from '../tokens/current-user.decorator.js';
import type { LoginResponse } from '../tokens/sessions.dto.js';
import { TokenInvalid } from '../tokens/tokens.errors.js';
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

/** Decides about passwords and codes, and what comes of right ones. */
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
    private readonly database: Database,
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
      const { disabledAt } = await this.users.getById(id);
      const error = disabledAt ? new AccountDisabled() : new WrongCredentials();
      return this.refuse(login, 'login', error);
    }
    logins.inc({ outcome: 'success' });
    return issued;
  }

  /** Sets a new password, which ends all tokens of the caller; returns a fresh one. */
  async changePassword(caller: Principal, current: string, next: string): Promise<LoginResponse> {
    const begunAt = performance.now();
    const action = 'password change';
    const [attempt, passwordHash] = await this.confirm(caller, action, async (user) => {
      await this.passwords.assertStrong(user.username, next);
      if (next === current) throw new InvalidPassword('is the current one');
      return this.passwords.replace(current, next, user);
    });
    // Changed after the response was 503, the password would be one that the user does not know of.
    if (performance.now() - begunAt > this.database.limits.work) throw new Overloaded();
    return this.database.transaction(async (transaction) => {
      const changed = await this.users.replacePassword({ ...attempt, passwordHash }, transaction);
      const event = { action, clientAddress: caller.clientAddress };
      const issued = changed && (await this.tokens.issue(changed, event, transaction));
      // The account was disabled or got another password meanwhile, which ended the token as well.
      if (!issued) throw new TokenInvalid();
      await this.failures.succeed(attempt, transaction); // the change has forgotten the address
      return issued;
    });
  }

  /** Removes the second factor of the caller; says whether there was one. */
  async removeSecondFactor(caller: Principal, password: string, code: string): Promise<boolean> {
    const compare = (user: RightLogin) => this.passwords.matches(password, user);
    await this.confirm(caller, 'second factor removal', compare, code);
    return this.secondFactors.removeOwn(caller);
  }

  /** Compares the password of the caller, and a code; wrong ones count as failed logins. */
  private async confirm<Result>(
    { userId, clientAddress }: Principal,
    action: Action,
    compare: (user: RightLogin) => Promise<Result | null>,
    code?: string,
  ): Promise<[RightLogin, Result]> {
    const { username } = await this.users.getById(userId);
    const user = (await this.failures.findAttempt(username, clientAddress)) as RightLogin;
    return [user, await this.decide(user, action, () => compare(user), code)];
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
      const error = attempt.disabled ? new AccountDisabled() : new PasswordNotAllowed();
      return this.refuse(attempt, action, error);
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
  private async refuse(attempt: LoginAttempt, action: Action, error: ServiceError): Promise<never> {
    logins.inc({ outcome: 'disabled' });
    const details = { reason: error.errorCode };
    await this.audit.record({ ...eventOf(attempt), action, outcome: 'refused', details });
    throw error;
  }
}

function eventOf({ accountKey: actor, clientAddress }: LoginAttempt) {
  return { actor, clientAddress };
}
