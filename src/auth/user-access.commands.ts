import { Injectable } from '@nestjs/common';
import type { Change } from '../admin/admin-command.decorator.js';
import type { CommandResult } from '../admin/command-result.js';
import { PasswordsService } from '../users/passwords.service.js';
import { UserCommand } from '../users/user-command.decorator.js';
import { UsersService } from '../users/users.service.js';
import { LoginFailuresService } from './login/login-failures.service.js';
import { TokensService } from './tokens/tokens.service.js';

type PasswordChange = Change<{ password: string }>;

/** Commands for logins and tokens of users, which an account loses when it is disabled. */
@Injectable()
export class UserAccessCommands {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
    private readonly failures: LoginFailuresService,
  ) {}

  @UserCommand('user disable', 'Disable a user and revoke its tokens')
  async disable(username: string, { transaction }: Change): Promise<CommandResult> {
    const { id } = await this.users.getLocked(username, transaction);
    const revoked = await this.tokens.revokeOf(id, {}, transaction);
    await this.users.setDisabled(username, true, transaction);
    const text = `user "${username}" disabled, ${tokens(revoked)} revoked`;
    return { text, json: { username, status: 'disabled', revoked } };
  }

  @UserCommand(
    'user anonymize',
    'Disable a user who left for good, and forget its name, password and addresses',
  )
  async anonymize(username: string, { transaction }: Change): Promise<CommandResult> {
    const user = await this.users.getLocked(username, transaction);
    const revoked = await this.tokens.revokeOf(user.id, {}, transaction);
    const name = await this.users.anonymize(user, transaction); // a trigger forgets the addresses
    const text = `user "${username}" is now called "${name}" and disabled, ${tokens(revoked)} revoked`;
    return { text, json: { username: name, status: 'disabled', revoked } };
  }

  @UserCommand('user unlock', 'Remove the locks after failed logins')
  async unlock(username: string, { transaction }: Change): Promise<CommandResult> {
    const { id } = await this.users.get(username, transaction);
    await this.failures.unlock(id, transaction);
    return { text: `user "${username}" unlocked`, json: { username } };
  }

  @UserCommand(
    'user set-password',
    "Set a user's password and revoke the tokens issued for the old one",
    { readsPassword: true },
  )
  async setPassword(username: string, options: PasswordChange): Promise<CommandResult> {
    const { password, transaction } = options;
    const { id } = await this.users.getLocked(username, transaction);
    await this.passwords.assertStrong(username, password);
    const revoked = await this.tokens.revokeOf(id, {}, transaction);
    await this.users.setPassword(username, password, transaction);
    const text = `password of user "${username}" set, ${tokens(revoked)} revoked`;
    return { text, json: { username, revoked } };
  }

  @UserCommand('token revoke', 'Revoke all tokens of a user')
  async revoke(username: string, { transaction }: Change): Promise<CommandResult> {
    const { id } = await this.users.get(username, transaction);
    await this.failures.forgetAddresses(id, transaction); // an attacker may have used them
    const revoked = await this.tokens.revokeOf(id, {}, transaction);
    const text = `${tokens(revoked)} of user "${username}" revoked`;
    return { text, json: { username, revoked } };
  }
}

function tokens(count: number): string {
  return count === 1 ? '1 token' : `${count} tokens`;
}
