import { Injectable } from '@nestjs/common';
import { Argument } from 'commander';
import { AdminCommand } from '../admin/admin-command.decorator.js';
import type { CommandResult } from '../admin/command-result.js';
import { PasswordsService } from '../users/passwords.service.js';
import { UsersService } from '../users/users.service.js';
import { LoginFailuresService } from './login/login-failures.service.js';
import { TokensService } from './tokens/tokens.service.js';

const OF_USER = {
  subject: 'user',
  arguments: [new Argument('<username>', "the user's login name")],
} as const;

/** Commands for accounts, logins and tokens of users. */
@Injectable()
export class UserAccessCommands {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
    private readonly failures: LoginFailuresService,
  ) {}

  @AdminCommand({
    name: 'user add',
    description: 'Make a user, who may upload for no restaurant yet',
    ...OF_USER,
    readsPassword: true,
  })
  async add(username: string, { password }: { password: string }): Promise<CommandResult> {
    await this.passwords.assertStrong(username, password);
    await this.users.add(username, password);
    return { text: `user "${username}" added`, json: { username } };
  }

  @AdminCommand({
    name: 'user disable',
    description: 'Disable a user and revoke its tokens',
    ...OF_USER,
  })
  async disable(username: string): Promise<CommandResult> {
    const { id } = await this.users.get(username);
    const revoked = await this.tokens.countLive(id);
    await this.users.setDisabled(username, true);
    return {
      text: `user "${username}" disabled, ${tokens(revoked)} revoked`,
      json: { username, status: 'disabled', revoked },
    };
  }

  @AdminCommand({ name: 'user enable', description: 'Enable a disabled user', ...OF_USER })
  async enable(username: string): Promise<CommandResult> {
    await this.users.setDisabled(username, false);
    return { text: `user "${username}" enabled`, json: { username, status: 'enabled' } };
  }

  @AdminCommand({
    name: 'user unlock',
    description: 'Remove the locks after failed logins',
    ...OF_USER,
  })
  async unlock(username: string): Promise<CommandResult> {
    await this.failures.unlock((await this.users.get(username)).id);
    return { text: `user "${username}" unlocked`, json: { username } };
  }

  @AdminCommand({
    name: 'user set-password',
    description: "Set a user's password and revoke the tokens issued for the old one",
    ...OF_USER,
    readsPassword: true,
  })
  async setPassword(username: string, { password }: { password: string }): Promise<CommandResult> {
    const { id } = await this.users.get(username);
    const revoked = await this.tokens.countLive(id);
    await this.passwords.assertStrong(username, password);
    await this.users.setPassword(username, password);
    return {
      text: `password of user "${username}" set, ${tokens(revoked)} revoked`,
      json: { username, revoked },
    };
  }

  @AdminCommand({ name: 'token revoke', description: 'Revoke all tokens of a user', ...OF_USER })
  async revoke(username: string): Promise<CommandResult> {
    const { id } = await this.users.get(username);
    await this.failures.forgetAddresses(id); // an attacker may have logged in from them
    const revoked = await this.tokens.revokeAllOf(id);
    return {
      text: `${tokens(revoked)} of user "${username}" revoked`,
      json: { username, revoked },
    };
  }
}

function tokens(count: number): string {
  return count === 1 ? '1 token' : `${count} tokens`;
}
