import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import { Refused, WrongUsage } from './admin.errors.js';
import type { Answer } from './answer.js';
import type { FoundCommand } from './find-commands.js';

/** What the command line needs from the program around it, as it knows no feature itself. */
export interface Surroundings {
  /** The application in which a command runs, opened only once the command is understood. */
  readonly open: (command: FoundCommand) => Promise<{ app: INestApplicationContext; close: () => Promise<void> }>;
  /** Whether an error is a service's own: the service refused. Anything else is a failure. */
  readonly isRefusal: (error: unknown) => boolean;
  /** Is told of each command that ran, before its answer is printed. */
  readonly record: (app: INestApplicationContext, run: CommandRun) => Promise<void>;
  /** Whether a failure's stack is printed besides its reason. */
  readonly showsStacks: () => boolean;
}

/** Who ran which command, and what came of it. It holds no secret, as passwords are never arguments. */
export interface CommandRun {
  readonly operatingSystemUser: string;
  /** As it was typed: `user`, `grant`, `till-1`, `101`. */
  readonly args: readonly string[];
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Why it was not done. */
  readonly reason?: string;
}

interface Call {
  readonly command: FoundCommand;
  readonly args: readonly string[];
  readonly values: readonly unknown[];
}

/** Calls the command's method and records what came of it, whatever it was. */
export async function runRecorded(
  app: INestApplicationContext,
  { command, args, values }: Call,
  { isRefusal, record }: Surroundings,
): Promise<Answer> {
  const owner = app.get(command.owner, { strict: false });
  const handler = owner[command.method] as (...values: unknown[]) => Promise<Answer>;
  const run = { operatingSystemUser: operatingSystemUser(), args };
  let answer: Answer;
  try {
    answer = await handler.apply(owner, [...values]);
  } catch (error) {
    const refused = isRefusal(error) || error instanceof Refused || error instanceof WrongUsage;
    const outcome = refused ? 'refused' : 'failed';
    await record(app, { ...run, outcome, reason: reasonOf(error) }).catch(() => undefined); // the first error tells more
    throw error;
  }
  await record(app, { ...run, outcome: 'done' }).catch((error: unknown) => {
    throw new Error(`the command is done but could not be recorded: ${reasonOf(error)}`, { cause: error });
  });
  return answer;
}

/** Some failures have no text of their own, only a list of others (a connection tried at several addresses). */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** The account's name, and who became it with sudo; a number where the account has no name (in a container). */
function operatingSystemUser(): string {
  const sudoer = process.env['SUDO_USER'];
  return sudoer === undefined ? accountName() : `${accountName()} (sudo by ${sudoer})`;
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
