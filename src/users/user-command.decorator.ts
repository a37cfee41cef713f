import { Argument } from 'commander';
import { AdminCommand } from '../admin/admin-command.decorator.js';

/** Declares a command whose argument is a user. */
export function UserCommand(
  name: string,
  description: string,
  rest: Partial<Parameters<typeof AdminCommand>[0]> = {},
) {
  const username = new Argument('<username>', "the user's login name");
  return AdminCommand({ name, description, subject: 'user', arguments: [username], ...rest });
}
