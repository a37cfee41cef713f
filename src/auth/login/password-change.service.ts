import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Overloaded } from '../../http/errors/http.errors.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { InvalidPassword } from '../../users/users.errors.js';
import { UsersService } from '../../users/users.service.js';
import type { Principal } from '../tokens/current-user.decorator.js';
import { TokenInvalid } from '../tokens/tokens.errors.js';
import { TokensService } from '../tokens/tokens.service.js';
import { LoginService } from './login.service.js';

/** Lets users change their own passwords. */
@Injectable()
export class PasswordChangeService {
  /** The users of whom a new password is being hashed: one of each, that logins find a thread. */
  private readonly changing = new Set<number>();

  constructor(
    private readonly database: Database,
    private readonly logins: LoginService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
    private readonly users: UsersService,
  ) {}

  /** Sets a new password, which ends all tokens of the user; returns a fresh token. */
  async change(
    { userId: id }: Principal,
    clientAddress: string,
    { current, next }: { readonly current: string; readonly next: string },
  ): Promise<string> {
    const begunAt = performance.now();
    const { username } = await this.users.getById(id);
    this.passwords.assertAllowed(username, next);
    if (next === current) throw new InvalidPassword('is the current one');
    const attempt = await this.logins.confirm(username, clientAddress, current);
    const passwordHash = await this.hashStrong(id, username, next);
    // Changed after the response was 503, the password would be one that the user does not know of.
    if (performance.now() - begunAt > this.database.maxWorkMs) throw new Overloaded();
    const passwordVersion = attempt.passwordVersion!;
    return this.database.transaction(async (transaction) => {
      const changed = { id, passwordVersion, passwordHash };
      const isChanged = await this.users.replacePassword(changed, transaction);
      const account = { id, passwordVersion: passwordVersion + 1 };
      const issued = isChanged && (await this.tokens.issue(account, transaction));
      // The account was disabled or got another password meanwhile, which ended the token as well.
      if (!issued) throw new TokenInvalid();
      await this.logins.recordChange(attempt, issued.tokenId, transaction);
      return issued.token;
    });
  }

  /** Takes threads, which whoever has stolen a token may not: the current password comes first. */
  private async hashStrong(id: number, username: string, password: string): Promise<string> {
    if (this.changing.has(id)) throw new Overloaded('the password is being changed');
    this.changing.add(id);
    try {
      await this.passwords.assertStrong(username, password);
      return await this.passwords.hash(password);
    } finally {
      this.changing.delete(id);
    }
  }
}
