import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import { AdminCommand, type Change } from '../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../admin/command-result.js';
import { PasswordsService } from './passwords.service.js';
import { UserCommand } from './user-command.decorator.js';
import { UsersService } from './users.service.js';
import type { ListedUser } from './users.statements.js';

/** Commands for accounts alone; those that also end tokens stand in `auth/`. */
@Injectable()
export class UsersCommands {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
  ) {}

  @AdminCommand({
    name: 'user list',
    description: 'List the users and how many restaurants each may upload for',
    readOnly: true,
  })
  async list(): Promise<CommandResult> {
    const json = await this.users.listWithRestaurants();
    const rows = json.map((user) => [
      user.username,
      statusOf(user),
      user.all_restaurants ? 'all' : user.restaurant_ids.length,
      user.created_at,
    ]);
    return { text: formatTable(['USERNAME', 'STATUS', 'RESTAURANTS', 'CREATED'], rows), json };
  }

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

function statusOf({ status, locked_until, locked_network }: ListedUser): string {
  if (locked_until === null || status === 'disabled') return status;
  const where = locked_network ? ` at ${locked_network}` : '';
  return `locked${where} until ${locked_until.toISOString().slice(0, 16)}Z`;
}
