import { Injectable } from '@nestjs/common';
import { Argument } from 'commander';
import { AdminCommand } from '../admin/admin-command.decorator.js';
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
  async add(username: string, { password }: { password: string }): Promise<CommandResult> {
    await this.passwords.assertStrong(username, password);
    await this.users.add(username, password);
    return { text: `user "${username}" added`, json: { username } };
  }

  @UserCommand('user disable', 'Disable a user and revoke its tokens')
  async disable(username: string): Promise<CommandResult> {
    const { id } = await this.users.get(username);
    const revoked = await this.tokens.countLive(id);
    await this.users.setDisabled(username, true);
    const text = `user "${username}" disabled, ${tokens(revoked)} revoked`;
    return { text, json: { username, status: 'disabled', revoked } };
  }

  @UserCommand('user enable', 'Enable a disabled user')
  async enable(username: string): Promise<CommandResult> {
    await this.users.setDisabled(username, false);
    return { text: `user "${username}" enabled`, json: { username, status: 'enabled' } };
  }

  @UserCommand('user unlock', 'Remove the locks after failed logins')
  async unlock(username: string): Promise<CommandResult> {
    await this.failures.unlock((await this.users.get(username)).id);
    return { text: `user "${username}" unlocked`, json: { username } };
  }

  @UserCommand(
    'user set-password',
    "Set a user's password and revoke the tokens issued for the old one",
    { readsPassword: true },
  )
  async setPassword(username: string, { password }: { password: string }): Promise<CommandResult> {
    const { id } = await this.users.get(username);
    const revoked = await this.tokens.countLive(id);
    await this.passwords.assertStrong(username, password);
    await this.users.setPassword(username, password);
    const text = `password of user "${username}" set, ${tokens(revoked)} revoked`;
    return { text, json: { username, revoked } };
  }

  @UserCommand('token revoke', 'Revoke all tokens of a user')
  async revoke(username: string): Promise<CommandResult> {
    const { id } = await this.users.get(username);
    await this.failures.forgetAddresses(id); // an attacker may have logged in from them
    const revoked = await this.tokens.revokeOf(id);
    const text = `${tokens(revoked)} of user "${username}" revoked`;
    return { text, json: { username, revoked } };
  }
}

function tokens(count: number): string {
  return count === 1 ? '1 token' : `${count} tokens`;
}
