import { Injectable, Logger } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { UsersService } from '../../users/users.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import {
  LoginFailuresService,
  loginOutcomes,
  type LoginAttempt,
} from './login-failures.service.js';
import { AccountDisabled, WrongCredentials } from './login.errors.js';

/** Authenticates login attempts and issues their tokens. */
@Injectable()
export class LoginService {
  private readonly logger = new Logger('Login');

  constructor(
    private readonly failures: LoginFailuresService,
    private readonly passwords: PasswordsService,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

  /** Throws unless the password is right and the account enabled. */
  async authenticate(attempt: LoginAttempt, password: string): Promise<void> {
    if (!(await this.matches(attempt, password))) return this.fail(attempt);
    if (attempt.disabled) {
      await this.failures.takeBack(attempt);
      return this.refuse(attempt, true);
    }
    await this.failures.succeed(attempt);
    this.renewHash({ id: attempt.userId!, passwordHash: attempt.passwordHash! }, password);
  }

  async issueToken(attempt: LoginAttempt): Promise<string> {
    const [id, passwordVersion] = [attempt.userId!, attempt.passwordVersion!];
    const issued = await this.tokens.issue({ id, passwordVersion });
    if (!issued) return this.refuse(attempt, await this.users.isDisabled(id));
    loginOutcomes.inc({ outcome: 'success' });
    await this.record(attempt, 'success', { token_id: issued.tokenId });
    return issued.token;
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
    loginOutcomes.inc({ outcome: 'failure' });
    await this.record(attempt, 'failure');
    throw new WrongCredentials();
  }

  /** Refuses a right password of an account that was disabled or got another password meanwhile. */
  private async refuse(attempt: LoginAttempt, isDisabled: boolean): Promise<never> {
    loginOutcomes.inc({ outcome: 'disabled' });
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

  /** Renews the hash without being awaited: another hash takes as long as the login. */
  private renewHash(account: { id: number; passwordHash: string }, password: string): void {
    this.users
      .renewHash(account, password)
      .catch((error: unknown) =>
        this.logger.warn(`a password hash was not renewed: ${String(error)}`),
      );
  }
}
