import { Argument } from 'commander';
import { AdminCommand, type CommandOptions } from '../admin/admin-command.decorator.js';

const USER = { argument: new Argument('<username>', "the user's login name") };
const USERS = { argument: new Argument('<usernames...>', "the users' login names") };

/** Declares a command whose first argument is a user. */
export function UserCommand(name: string, description: string, options?: CommandOptions) {
  return AdminCommand(name, description, { subject: USER, ...options });
}

/** Declares a command whose arguments are users, all or none of whom it changes. */
export function UsersCommand(name: string, description: string, options?: CommandOptions) {
  return AdminCommand(name, description, { subject: USERS, ...options });
}
