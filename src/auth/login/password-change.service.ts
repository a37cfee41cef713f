import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Overloaded } from '../../http/errors/http.errors.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { InvalidPassword } from '../../users/users.errors.js';
import { UsersService } from '../../users/users.service.js';
import type { Principal } from '../tokens/current-user.decorator.js';
import type { LoginResponse } from '../tokens/sessions.dto.js';
import { TokenInvalid } from '../tokens/tokens.errors.js';
import { TokensService } from '../tokens/tokens.service.js';
import { LoginService } from './login.service.js';
import { LoginFailuresService } from './login-failures.service.js';

/** Lets users change their own passwords. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly database: Database,
    private readonly logins: LoginService,
    private readonly failures: LoginFailuresService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
    private readonly users: UsersService,
  ) {}

  /** Sets a new password, which ends all tokens of the user; returns a fresh token. */
  async change(caller: Principal, current: string, next: string): Promise<LoginResponse> {
    const begunAt = performance.now();
    const [attempt, passwordHash] = await this.logins.confirm(
      caller,
      'password change',
      async (user) => {
        await this.passwords.assertStrong(user.username, next);
        if (next === current) throw new InvalidPassword('is the current one');
        return this.passwords.replace(current, next, user);
      },
    );
    // Changed after the response was 503, the password would be one that the user does not know of.
    if (performance.now() - begunAt > this.database.limits.work) throw new Overloaded();
    return this.database.transaction(async (transaction) => {
      const changed = await this.users.replacePassword({ ...attempt, passwordHash }, transaction);
      const event = { action: 'password change', clientAddress: caller.clientAddress };
      const issued = changed && (await this.tokens.issue(changed, event, transaction));
      // The account was disabled or got another password meanwhile, which ended the token as well.
      if (!issued) throw new TokenInvalid();
      await this.failures.succeed(attempt, transaction); // the change has forgotten the address
      return issued;
    });
  }
}
