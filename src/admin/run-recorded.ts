import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { operatingSystemUser } from '../config/operating-system-user.js';
import { ServiceError } from '../http/errors/service-error.js';
import { UsageError } from './admin.errors.js';
import type { CommandResult } from './command-result.js';
import type { FoundCommand } from './find-commands.js';

/** What the program around the command line provides, since this folder knows no feature. */
export interface CliContext {
  /** Opens the application for a command; `embedded` says that `--embedded` was given. */
  readonly open: (
    command: FoundCommand,
    embedded: boolean,
  ) => Promise<{ app: INestApplicationContext; close: () => Promise<void> }>;
  /** Writes to the audit log. */
  readonly record: (app: INestApplicationContext, run: CommandRun) => Promise<void>;
  /** Whether a failure is printed with its stack. */
  readonly showsStacks: () => boolean;
}

/** A command, its command line without its name, and its method's parameters. */
export interface CommandCall {
  readonly command: FoundCommand;
  readonly argv: readonly string[];
  readonly values: readonly unknown[];
}

/** Who ran which command with which outcome. It holds no secret: passwords are never arguments. */
export interface CommandRun extends Omit<CommandCall, 'values'> {
  /** The same in all records of one run. */
  readonly id: string;
  readonly operatingSystemUser: string;
  /** The first argument of a command that declares its subject. */
  readonly subject?: string;
  readonly outcome: 'begun' | 'done' | 'refused' | 'failed';
  readonly reason?: string;
}

/**
 * Calls the command's method and records its outcome. What changes something is recorded before as well, so that a
 * command that was killed leaves a trace, and nothing is changed where no record can be written.
 */
export async function runRecorded(
  app: INestApplicationContext,
  { command, argv, values }: CommandCall,
  record: CliContext['record'],
): Promise<CommandResult> {
  const owner = app.get(command.owner, { strict: false });
  const handler = owner[command.method] as (...values: unknown[]) => Promise<CommandResult>;
  const subject = command.subject ? { subject: String(values[0]) } : {};
  const run = { id: randomUUID(), operatingSystemUser: operatingSystemUser(), command, argv, ...subject };
  if (!command.readOnly) await record(app, { ...run, outcome: 'begun' });
  let result: CommandResult;
  try {
    result = await handler.apply(owner, [...values]);
  } catch (error) {
    const outcome = error instanceof ServiceError || error instanceof UsageError ? 'refused' : 'failed';
    // If recording fails too, the first error is the one to report.
    await record(app, { ...run, outcome, reason: reasonOf(error) }).catch(() => undefined);
    throw error;
  }
  await record(app, { ...run, outcome: 'done' }).catch((error: unknown) => {
    throw new Error(`the command is done but could not be recorded: ${reasonOf(error)}`, { cause: error });
  });
  return result;
}

/** Returns an error's message; an AggregateError (a connection tried at several addresses) may have none of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
