import type { INestApplicationContext } from '@nestjs/common';
import { operatingSystemUser } from '../config/operating-system-user.js';
import { ServiceError } from '../http/errors/service-error.js';
import { UsageError } from './admin.errors.js';
import type { CommandResult } from './command-result.js';
import type { FoundCommand } from './find-commands.js';

/** What the command line needs from the program around it, as it knows no feature itself. */
export interface CliContext {
  /** The application in which a command runs, opened only once the command is understood. */
  readonly open: (command: FoundCommand) => Promise<{ app: INestApplicationContext; close: () => Promise<void> }>;
  /** Is told of each command that ran, before its answer is printed. */
  readonly record: (app: INestApplicationContext, run: CommandRun) => Promise<void>;
  /** Whether a failure's stack is printed besides its reason. */
  readonly showsStacks: () => boolean;
}

/** A command to run: which, what was typed behind its name, and what its method is called with. */
export interface Call {
  readonly command: FoundCommand;
  readonly typed: readonly string[];
  readonly values: readonly unknown[];
}

/** Who ran which command, and what came of it. It holds no secret, as passwords are never typed as arguments. */
export interface CommandRun extends Omit<Call, 'values'> {
  readonly operatingSystemUser: string;
  /** The command's first argument: to whom or what it is done. */
  readonly subject?: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Why it was not done. */
  readonly reason?: string;
}

/** Calls the command's method and records what came of it, whatever it was. */
export async function runRecorded(
  app: INestApplicationContext,
  { command, typed, values }: Call,
  record: CliContext['record'],
): Promise<CommandResult> {
  const owner = app.get(command.owner, { strict: false });
  const handler = owner[command.method] as (...values: unknown[]) => Promise<CommandResult>;
  const subject = command.arguments?.length ? { subject: String(values[0]) } : {};
  const run = { operatingSystemUser: operatingSystemUser(), command, typed, ...subject };
  let answer: CommandResult;
  try {
    answer = await handler.apply(owner, [...values]);
  } catch (error) {
    const outcome = error instanceof ServiceError || error instanceof UsageError ? 'refused' : 'failed';
    // Where the record fails as well, the first error tells more.
    await record(app, { ...run, outcome, reason: reasonOf(error) }).catch(() => undefined);
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
