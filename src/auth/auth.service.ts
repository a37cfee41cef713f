import { Injectable, Logger } from '@nestjs/common';
import { CredentialsService, type Account } from '../users/credentials.service.js';
import { AccountDisabled, WrongCredentials } from './auth.errors.js';
import { HousekeepingService } from './housekeeping/housekeeping.service.js';
import type { LoginAttempt } from './throttling/login-attempt.js';
import { LoginAttemptsService } from './throttling/login-attempts.service.js';
import { TokensService } from './tokens/tokens.service.js';

/** Judges a login. */
@Injectable()
export class AuthService {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly attempts: LoginAttemptsService,
    private readonly credentials: CredentialsService,
    private readonly tokens: TokensService,
    private readonly housekeeping: HousekeepingService,
  ) {}

  /** Throws `WrongCredentials`, `AccountDisabled` to who knew the password, `TooManyFailures`, `TooManyLogins`. */
  async authenticate(attempt: LoginAttempt, password: string): Promise<void> {
    this.housekeeping.begin();
    await this.attempts.begin(attempt);
    const { account } = attempt.credentials;
    const matches = await this.compare(attempt, password);
    if (!account || !matches) {
      await this.attempts.fail(attempt);
      throw new WrongCredentials();
    }
    if (account.disabled) {
      await this.attempts.abandon(attempt);
      await this.attempts.recordShutOut(attempt, 'account disabled');
      throw new AccountDisabled();
    }
    await this.attempts.succeed(attempt, account.id);
    this.renewHash(account, password);
  }

  /** The token for an attempt that was authenticated. Throws where the account was disabled or its password changed since. */
  async issueToken(attempt: LoginAttempt): Promise<string> {
    const account = attempt.credentials.account!;
    const issued = await this.tokens.issue(account);
    if (issued) {
      await this.attempts.recordSuccess(attempt, issued.tokenId);
      return issued.token;
    }
    const disabled = await this.credentials.isDisabled(account.id);
    await this.attempts.recordShutOut(attempt, disabled ? 'account disabled' : 'password changed');
    throw disabled ? new AccountDisabled() : new WrongCredentials();
  }

  private async compare(attempt: LoginAttempt, password: string): Promise<boolean> {
    try {
      return await this.credentials.match(attempt.credentials, password, attempt.known);
    } catch (error) {
      await this.attempts.abandon(attempt);
      throw error;
    }
  }

  /** Nobody waits for it: another hash takes as long as the login. */
  private renewHash(account: Account, password: string): void {
    this.credentials
      .renew(account, password)
      .catch((error: unknown) => this.logger.warn(`a password hash was not renewed: ${String(error)}`));
  }
}
