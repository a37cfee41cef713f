import { Injectable, Logger } from '@nestjs/common';
import { CredentialsService, type Account } from '../users/credentials.service.js';
import { AccountDisabled, WrongCredentials } from './auth.errors.js';
import { LoginAttemptsService } from './throttling/login-attempts.service.js';
import { LoginAudit } from './throttling/login-audit.js';
import type { LoginAttempt } from './throttling/login-attempt.js';
import { TokensService } from './tokens/tokens.service.js';

/** Authenticates logins and issues their tokens. */
@Injectable()
export class AuthService {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly attempts: LoginAttemptsService,
    private readonly credentials: CredentialsService,
    private readonly tokens: TokensService,
    private readonly audit: LoginAudit,
  ) {}

  async authenticate(attempt: LoginAttempt, password: string): Promise<void> {
    const { matches, release } = await this.attempts.compare(attempt, password);
    try {
      await this.conclude(attempt, matches);
    } finally {
      await release();
    }
    this.renewHash(attempt.credentials.account!, password);
  }

  async issueToken(attempt: LoginAttempt): Promise<string> {
    const account = attempt.credentials.account!;
    const issued = await this.tokens.issue(account);
    if (issued) {
      await this.audit.succeeded(attempt, issued.tokenId);
      return issued.token;
    }
    const disabled = await this.credentials.isDisabled(account.id);
    await this.audit.denied(attempt, disabled ? 'account disabled' : 'password changed');
    throw disabled ? new AccountDisabled() : new WrongCredentials();
  }

  private async conclude(attempt: LoginAttempt, matches: boolean): Promise<void> {
    const { account } = attempt.credentials;
    if (!account || !matches) {
      await this.attempts.fail(attempt);
      throw new WrongCredentials();
    }
    if (account.disabled) {
      await this.audit.denied(attempt, 'account disabled');
      throw new AccountDisabled();
    }
    await this.attempts.succeed(attempt, account.id);
  }

  /** Not awaited: another hash takes as long as the login. */
  private renewHash(account: Account, password: string): void {
    this.credentials
      .renew(account, password)
      .catch((error: unknown) => this.logger.warn(`a password hash was not renewed: ${String(error)}`));
  }
}
