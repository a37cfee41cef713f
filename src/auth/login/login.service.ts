import { Injectable, Logger } from '@nestjs/common';
import { PasswordsService } from '../../users/passwords.service.js';
import { UsersService } from '../../users/users.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { applies, LoginAttemptsService, type LoginAttempt } from './login-attempts.service.js';
import { LoginAudit } from './login-audit.js';
import { AccountDisabled, TooManyFailures, WrongCredentials } from './login.errors.js';

/** Authenticates login attempts and issues their tokens. */
@Injectable()
export class LoginService {
  private readonly logger = new Logger('Login');

  constructor(
    private readonly attempts: LoginAttemptsService,
    private readonly passwords: PasswordsService,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly audit: LoginAudit,
  ) {}

  async authenticate(attempt: LoginAttempt, password: string): Promise<void> {
    if (attempt.shared) return attempt.shared;
    try {
      await this.check(attempt, password);
      attempt.settle();
    } catch (error) {
      attempt.settle(error as Error);
      throw error;
    }
  }

  async issueToken(attempt: LoginAttempt): Promise<string> {
    const [id, passwordVersion] = [attempt.userId!, attempt.passwordVersion!];
    const issued = await this.tokens.issue({ id, passwordVersion });
    if (issued) {
      await this.audit.succeeded(attempt, issued.tokenId);
      return issued.token;
    }
    const disabled = await this.users.isDisabled(id);
    await this.audit.refused(attempt, disabled ? 'account disabled' : 'password changed');
    throw disabled ? new AccountDisabled() : new WrongCredentials();
  }

  private async check(attempt: LoginAttempt, password: string): Promise<void> {
    if (!(await this.matches(attempt, password))) return this.fail(attempt);
    if (attempt.disabled) {
      await this.attempts.takeBack(attempt);
      await this.audit.refused(attempt, 'account disabled');
      throw new AccountDisabled();
    }
    const lockedSeconds = await this.attempts.succeed(attempt);
    if (lockedSeconds !== null) throw this.locked(lockedSeconds);
    this.renewHash({ id: attempt.userId!, passwordHash: attempt.passwordHash! }, password);
  }

  private async matches(attempt: LoginAttempt, password: string): Promise<boolean> {
    try {
      return await this.passwords.matches(password, attempt.passwordHash, attempt.isKnown);
    } catch (error) {
      await this.attempts.takeBack(attempt);
      throw error;
    }
  }

  /** Under a lock that others have caused meanwhile, the attempt does not learn that its password was wrong. */
  private async fail(attempt: LoginAttempt): Promise<never> {
    const counted = await this.attempts.countFailure(attempt);
    const locks = counted.filter(({ throttler }) => applies(throttler, attempt));
    const lockedSeconds = Math.max(...locks.map((lock) => lock.lockedSeconds));
    if (lockedSeconds > 0) throw this.locked(lockedSeconds);
    await this.audit.failed(attempt);
    for (const { throttler, locksNow } of counted)
      if (locksNow) await this.audit.lock(attempt, throttler);
    throw new WrongCredentials();
  }

  private locked(seconds: number): Error {
    this.audit.locked();
    return new TooManyFailures(seconds);
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
