import { Argument } from 'commander';
import { AdminCommand } from '../admin/admin-command.decorator.js';
import type { CommandResult } from '../admin/command-result.js';

const USER = { argument: new Argument('<username>', "the user's login name") };
const USERS = { argument: new Argument('<usernames...>', "the users' login names") };

type Options = Parameters<typeof AdminCommand>[2];

/** Declares a command whose first argument is a user. */
export function UserCommand(name: string, description: string, options?: Options) {
  return AdminCommand(name, description, { subject: USER, ...options });
}

/** Declares a command whose arguments are users, all or none of whom it changes. */
export function UsersCommand(name: string, description: string, options?: Options) {
  return AdminCommand(name, description, { subject: USERS, ...options });
}

/** Changes users one after another; each of several gets an event of its own. */
export async function forEachUser(
  usernames: readonly string[],
  change: (username: string) => Promise<{ text: string; json: object }>,
): Promise<CommandResult> {
  const results: { text: string; json: object }[] = [];
  for (const username of usernames) results.push(await change(username));
  if (results.length === 1) return results[0]!;
  return {
    text: results.map(({ text }) => text).join('\n'),
    json: results.map(({ json }) => json),
    changes: usernames.map((subject) => ({ subject })),
  };
}
