import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { administrator } from '../config/administrator.js';
import { ServiceError } from '../http/errors/service-error.js';
import { UsageError } from './admin.errors.js';
import type { CommandResult } from './command-result.js';
import type { FoundCommand } from './find-commands.js';

export interface CliContext {
  readonly open: (
    command: FoundCommand,
    embedded: boolean,
  ) => Promise<{ app: INestApplicationContext; close: () => Promise<void> }>;
  readonly record: (app: INestApplicationContext, run: CommandRun) => Promise<void>;
  readonly showsStacks: () => boolean;
}

export interface CommandCall {
  readonly command: FoundCommand;
  /** Passwords are never arguments. */
  readonly argv: readonly string[];
  readonly values: readonly unknown[];
}

export interface CommandRun extends Omit<CommandCall, 'values'> {
  readonly id: string;
  readonly actor: string;
  readonly subject: string | undefined;
  /** As the audit log stores it. */
  readonly outcome: 'begun' | 'success' | 'refused' | 'failure';
  readonly reason?: string;
}

/** Executes a command and records its outcome, and its start in case it is killed. */
export async function runRecorded(
  app: INestApplicationContext,
  { command, argv, values }: CommandCall,
  record: CliContext['record'],
): Promise<CommandResult> {
  const owner = app.get(command.owner, { strict: false });
  const handler = owner[command.method] as (...values: unknown[]) => Promise<CommandResult>;
  const subject = command.subject ? String(values[0]) : undefined;
  const run = { id: randomUUID(), actor: administrator(), command, argv, subject };
  if (!command.readOnly) await record(app, { ...run, outcome: 'begun' });
  let result: CommandResult;
  try {
    result = await handler.apply(owner, [...values]);
  } catch (error) {
    const outcome = error instanceof ServiceError || error instanceof UsageError ? 'refused' : 'failure';
    await record(app, { ...run, outcome, reason: reasonOf(error) }).catch(() => undefined);
    throw error;
  }
  await record(app, { ...run, outcome: 'success' }).catch((error: unknown) => {
    throw new Error(`the command is done but could not be recorded: ${reasonOf(error)}`, { cause: error });
  });
  return result;
}

/** An AggregateError may have no message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
