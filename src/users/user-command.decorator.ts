import { Argument } from 'commander';
import { AdminCommand } from '../admin/admin-command.decorator.js';

export const USERNAME = new Argument('<username>', "the user's login name");

type Rest = Partial<Parameters<typeof AdminCommand>[0]>;

/** Declares a command whose argument is a user. */
export function UserCommand(name: string, description: string, rest: Rest = {}) {
  return AdminCommand({ name, description, subject: 'user', arguments: [USERNAME], ...rest });
}

/** Declares a command whose arguments are users, all or none of whom it changes. */
export function UsersCommand(name: string, description: string, rest: Rest = {}) {
  const usernames = new Argument('<usernames...>', "the users' login names");
  return UserCommand(name, description, { arguments: [usernames], ...rest });
}
