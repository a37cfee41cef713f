import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import type { Change } from '../admin/admin-command.decorator.js';
import type { CommandResult } from '../admin/command-result.js';
import { PasswordsService } from './passwords.service.js';
import { UserCommand } from './user-command.decorator.js';
import { UsersService } from './users.service.js';

/** Commands for accounts alone; those that also end tokens stand in `auth/`. */
@Injectable()
export class UsersCommands {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
  ) {}

  @UserCommand('user add', 'Make a user, who may upload for no restaurant yet', {
    readsPassword: true,
  })
  async add(
    username: string,
    { password, transaction }: Change<{ password: string }>,
  ): Promise<CommandResult> {
    await this.passwords.assertStrong(username, password);
    await this.users.add(username, password, transaction);
    return { text: `user "${username}" added`, json: { username } };
  }

  @UserCommand('user rename', 'Rename a user; its tokens, restaurants and uploads stay', {
    options: [new Option('--name <name>', 'the new login name').makeOptionMandatory()],
  })
  async rename(
    username: string,
    { name, transaction }: Change<{ name: string }>,
  ): Promise<CommandResult> {
    await this.users.rename(username, name, transaction);
    const text = `user "${username}" is now called "${name}"`;
    return { text, json: { username: name, username_before: username } };
  }

  @UserCommand('user enable', 'Enable a disabled user')
  async enable(username: string, { transaction }: Change): Promise<CommandResult> {
    await this.users.setDisabled(username, false, transaction);
    return { text: `user "${username}" enabled`, json: { username, status: 'enabled' } };
  }
}
