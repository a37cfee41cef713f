import { Injectable } from '@nestjs/common';
import { AdminCommand } from '../admin/admin-command.decorator.js';
import type { CommandResult } from '../admin/command-result.js';
import { UsersService } from './users.service.js';

@Injectable()
export class UserAccountCommands {
  constructor(private readonly users: UsersService) {}

  @AdminCommand({
    name: 'user add',
    description: 'Make a user, who may upload for no restaurant yet',
    subject: 'user',
    arguments: [{ syntax: '<username>', description: 'the login name' }],
    readsPassword: true,
  })
  async add(username: string, { password }: { password: string }): Promise<CommandResult> {
    await this.users.assertStrongPassword(username, password);
    await this.users.add(username, password);
    return { text: `user "${username}" added`, json: { username } };
  }
}
