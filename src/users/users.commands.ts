import { Injectable } from '@nestjs/common';
import { AdminCommand } from '../admin/admin-command.decorator.js';
import type { Answer } from '../admin/answer.js';
import { UsersService } from './users.service.js';

/** The accounts, on the administrator's command line. */
@Injectable()
export class UsersCommands {
  constructor(private readonly users: UsersService) {}

  @AdminCommand({
    name: 'user add',
    description: 'Make a user, who may upload for no restaurant yet',
    arguments: [{ syntax: '<username>', description: 'the login name' }],
    readsPassword: true,
  })
  async add(username: string, { password }: { password: string }): Promise<Answer> {
    await this.users.add(username, password);
    return { text: `user "${username}" added`, json: { username } };
  }
}
