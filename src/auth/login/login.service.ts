import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { AuditService } from '../../audit/audit.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { UsersService } from '../../users/users.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { LoginFailuresService, type LoginAttempt } from './login-failures.service.js';
import { AccountDisabled, TooManyFailures, WrongCredentials } from './login.errors.js';

const logins = new Counter({
  name: 'logins_total',
  help: 'Logins by their outcome',
  labelNames: ['outcome'],
});
// so that the first of each shows as a rise
for (const outcome of ['success', 'failure', 'locked', 'disabled']) logins.inc({ outcome }, 0);

/** Authenticates login attempts and issues their tokens. */
@Injectable()
export class LoginService {
  private readonly logger = new Logger('Login');
  /** What becomes of the attempts in progress, by user, address and password. */
  private readonly inProgress = new Map<string, Promise<void>>();

  constructor(
    private readonly failures: LoginFailuresService,
    private readonly passwords: PasswordsService,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

  find(username: string, clientAddress: string): Promise<LoginAttempt> {
    return this.failures.find(username, clientAddress);
  }

  /** Identical attempts at the same moment share one outcome and count as one. */
  authenticate(attempt: LoginAttempt, password: string): Promise<void> {
    const { accountKey, network, passwordHash } = attempt;
    const key = JSON.stringify([accountKey, network, passwordHash, password]);
    const begun = this.inProgress.get(key);
    if (begun) return begun;
    const outcome = this.check(attempt, password).finally(() => this.inProgress.delete(key));
    this.inProgress.set(key, outcome);
    return outcome;
  }

  async issueToken(attempt: LoginAttempt): Promise<string> {
    const [id, passwordVersion] = [attempt.userId!, attempt.passwordVersion!];
    const issued = await this.tokens.issue({ id, passwordVersion });
    if (!issued) return this.refuse(attempt, await this.users.isDisabled(id));
    logins.inc({ outcome: 'success' });
    await this.record(attempt, 'success', { token_id: issued.tokenId });
    return issued.token;
  }

  private async check(attempt: LoginAttempt, password: string): Promise<void> {
    try {
      this.passwords.assertCapacity(attempt.isKnown);
      await this.failures.begin(attempt);
      if (!(await this.matches(attempt, password))) return await this.fail(attempt);
      if (attempt.disabled) {
        await this.failures.takeBack(attempt);
        await this.refuse(attempt, true);
      }
      await this.failures.succeed(attempt);
    } catch (error) {
      // Under a lock it is only counted: a flood must not fill the disk with audit events.
      if (error instanceof TooManyFailures) logins.inc({ outcome: 'locked' });
      throw error;
    }
    this.renewHash({ id: attempt.userId!, passwordHash: attempt.passwordHash! }, password);
  }

  private async matches(attempt: LoginAttempt, password: string): Promise<boolean> {
    try {
      return await this.passwords.matches(password, attempt.passwordHash, attempt.isKnown);
    } catch (error) {
      await this.failures.takeBack(attempt);
      throw error;
    }
  }

  private async fail(attempt: LoginAttempt): Promise<never> {
    await this.failures.countWrong(attempt);
    logins.inc({ outcome: 'failure' });
    await this.record(attempt, 'failure');
    throw new WrongCredentials();
  }

  /** The password was right, but the account was disabled or got another password. */
  private async refuse(attempt: LoginAttempt, isDisabled: boolean): Promise<never> {
    logins.inc({ outcome: 'disabled' });
    const reason = isDisabled ? 'account disabled' : 'password changed';
    await this.record(attempt, 'refused', { reason });
    throw isDisabled ? new AccountDisabled() : new WrongCredentials();
  }

  private async record(
    { accountKey: actor, clientAddress }: LoginAttempt,
    outcome: 'success' | 'failure' | 'refused',
    details = {},
  ): Promise<void> {
    await this.audit.record({ actor, action: 'login', clientAddress, outcome, details });
  }

  /** Not awaited: another hash takes as long as the login. */
  private renewHash(account: { id: number; passwordHash: string }, password: string): void {
    this.users
      .renewHash(account, password)
      .catch((error: unknown) =>
        this.logger.warn(`a password hash was not renewed: ${String(error)}`),
      );
  }
}
