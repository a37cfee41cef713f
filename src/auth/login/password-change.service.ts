import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Overloaded } from '../../http/errors/http.errors.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { InvalidPassword } from '../../users/users.errors.js';
import { UsersService } from '../../users/users.service.js';
import type { Principal } from '../tokens/current-user.decorator.js';
import { TokenInvalid } from '../tokens/tokens.errors.js';
import { type IssuedToken, TokensService } from '../tokens/tokens.service.js';
import { LoginService, type PasswordChange } from './login.service.js';

/** Lets users change their own passwords. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly database: Database,
    private readonly logins: LoginService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
    private readonly users: UsersService,
  ) {}

  /** Sets a new password, which ends all tokens of the user; returns a fresh token. */
  async change(
    { userId }: Principal,
    clientAddress: string,
    passwords: PasswordChange,
  ): Promise<IssuedToken> {
    const { current, next } = passwords;
    const begunAt = performance.now();
    const user = await this.users.getById(userId);
    await this.passwords.assertStrong(user.username, next);
    if (next === current) throw new InvalidPassword('is the current one');
    const [attempt, passwordHash] = await this.logins.confirm(user, clientAddress, passwords);
    // Changed after the response was 503, the password would be one that the user does not know of.
    if (performance.now() - begunAt > this.database.limits.work) throw new Overloaded();
    const change = { id: userId, passwordVersion: attempt.passwordVersion, passwordHash };
    return this.database.transaction(async (transaction) => {
      const changed = await this.users.replacePassword(change, transaction);
      const event = { action: 'password change', clientAddress };
      const issued = changed && (await this.tokens.issue(changed, event, transaction));
      // The account was disabled or got another password meanwhile, which ended the token as well.
      if (!issued) throw new TokenInvalid();
      await this.logins.rememberAddress(attempt, transaction); // the change has forgotten it
      return issued;
    });
  }
}
