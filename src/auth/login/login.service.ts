import { Injectable } from '@nestjs/common';
import type { Outcome } from '../../audit/audit-event.entity.js';
import { AuditService } from '../../audit/audit.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { UsersService } from '../../users/users.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { LoginFailuresService, logins, type LoginAttempt } from './login-failures.service.js';
import { AccountDisabled, WrongCredentials } from './login.errors.js';

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
  authenticate(attempt: LoginAttempt, password: string): Promise<void> {
    const key = JSON.stringify([attempt.pairKey, attempt.passwordHash, password]);
    const outcome =
      this.inProgress.get(key) ??
      this.compare(attempt, password).finally(() => this.inProgress.delete(key));
    this.inProgress.set(key, outcome);
    return outcome;
  }

  async issueToken(attempt: LoginAttempt): Promise<string> {
    const [id, passwordVersion] = [attempt.userId!, attempt.passwordVersion!];
    const issued = await this.tokens.issue({ id, passwordVersion });
    if (!issued) return this.refuse(attempt, await this.users.isDisabled(id));
    await this.record(attempt, 'success', { token_id: issued.tokenId });
    return issued.token;
  }

  /** Counts the attempt as a failure before it compares; takes it back unless that was right. */
  private async compare(attempt: LoginAttempt, password: string): Promise<void> {
    const { userId, passwordHash, isKnown } = attempt;
    await this.failures.countAttempt(attempt);
    const matching = this.passwords.matches(password, passwordHash, isKnown);
    const isRight = await matching.catch(async (error: unknown) => {
      await this.failures.takeBack(attempt); // the password was not compared
      throw error;
    });
    if (!isRight || userId === null) {
      await this.failures.countWrong(attempt);
      await this.record(attempt, 'failure');
      throw new WrongCredentials();
    }
    if (attempt.disabled) {
      await this.failures.takeBack(attempt);
      return this.refuse(attempt, true);
    }
    await this.failures.succeed(attempt);
    // This is not awaited, as hashing takes long. If it fails, the next login tries again.
    if (this.passwords.isOutdated(passwordHash!))
      this.users.renewHash(userId, passwordHash!, password).catch(() => undefined);
  }

  /** Refuses a right password: the account is disabled, or has got another password meanwhile. */
  private async refuse(attempt: LoginAttempt, isDisabled: boolean): Promise<never> {
    const reason = isDisabled ? 'account disabled' : 'password changed';
    await this.record(attempt, 'refused', { reason });
    throw isDisabled ? new AccountDisabled() : new WrongCredentials();
  }

  private async record(attempt: LoginAttempt, outcome: Outcome, details = {}): Promise<void> {
    logins.inc({ outcome: outcome === 'refused' ? 'disabled' : outcome });
    const { accountKey: actor, clientAddress } = attempt;
    await this.audit.record({ actor, action: 'login', clientAddress, outcome, details });
  }
}
