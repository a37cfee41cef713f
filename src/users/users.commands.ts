import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { UsageError } from '../admin/admin.errors.js';
import type { Change } from '../admin/admin-command.decorator.js';
import type { CommandResult } from '../admin/command-result.js';
import { PasswordsService } from './passwords.service.js';
import { forEachUser, UserCommand, UsersCommand } from './user-command.decorator.js';
import { UsersService } from './users.service.js';

type NewUser = Change<{
  readonly password?: string;
  readonly person?: boolean;
  readonly withoutPassword?: boolean;
}>;

/** Commands for accounts alone; those that also end tokens stand in `auth/`. */
@Injectable()
export class UsersCommands {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
  ) {}

  @UserCommand('user add', 'Make a user, who may upload for no restaurant yet', {
    readsPassword: true,
    options: [
      new Option('--person', 'a person, who has to change the password, and not a till'),
      new Option('--without-password', 'for a person who signs in with a company account'),
    ],
  })
  async add(username: string, options: NewUser): Promise<CommandResult> {
    const { person, withoutPassword, password, transaction: manager } = options;
    if (withoutPassword && !person) throw new UsageError('--without-password needs --person');
    if (password !== undefined) await this.passwords.assertStrong(username, password);
    const kind = person ? 'person' : 'till';
    await this.users.add(username, password, { kind, manager });
    return { text: `user "${username}" added`, json: { username, kind } };
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

  @UsersCommand('user enable', 'Enable disabled users')
  enable(usernames: string[], { transaction }: Change): Promise<CommandResult> {
    return forEachUser(usernames, async (username) => {
      await this.users.setDisabled(username, false, transaction);
      return { text: `user "${username}" enabled`, json: { username, status: 'enabled' } };
    });
  }
}
