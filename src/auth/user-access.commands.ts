import { Injectable } from '@nestjs/common';
import { Argument } from 'commander';
import { AdminCommand, type Change } from '../admin/admin-command.decorator.js';
import type { CommandResult } from '../admin/command-result.js';
import { PasswordsService } from '../users/passwords.service.js';
import { UsersService } from '../users/users.service.js';
import { LoginFailuresService } from './login/login-failures.service.js';
import { TokensService } from './tokens/tokens.service.js';

/** Declares a command whose argument is a user. */
function UserCommand(name: string, description: string, options?: { readsPassword: boolean }) {
  const username = new Argument('<username>', "the user's login name");
  return AdminCommand({ name, description, subject: 'user', arguments: [username], ...options });
}

type PasswordChange = Change<{ password: string }>;

/** Commands for accounts, logins and tokens of users. */
@Injectable()
export class UserAccessCommands {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
    private readonly failures: LoginFailuresService,
  ) {}

  @UserCommand('user add', 'Make a user, who may upload for no restaurant yet', {
    readsPassword: true,
  })
  async add(username: string, { password, transaction }: PasswordChange): Promise<CommandResult> {
    await this.passwords.assertStrong(username, password);
    await this.users.add(username, password, transaction);
    return { text: `user "${username}" added`, json: { username } };
  }

  @UserCommand('user disable', 'Disable a user and revoke its tokens')
  async disable(username: string, { transaction }: Change): Promise<CommandResult> {
    const { id } = await this.users.get(username, transaction);
    const revoked = await this.tokens.revokeOf(id, {}, transaction);
    await this.users.setDisabled(username, true, transaction);
    const text = `user "${username}" disabled, ${tokens(revoked)} revoked`;
    return { text, json: { username, status: 'disabled', revoked } };
  }

  @UserCommand('user enable', 'Enable a disabled user')
  async enable(username: string, { transaction }: Change): Promise<CommandResult> {
    await this.users.setDisabled(username, false, transaction);
    return { text: `user "${username}" enabled`, json: { username, status: 'enabled' } };
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
    const { id } = await this.users.get(username, transaction);
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
