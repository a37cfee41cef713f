import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { CommanderError } from 'commander';
import type { RegisteredCommand } from './admin-command.decorator.js';
import { administrator } from '../config/administrator.js';
import { ServiceError } from '../http/errors/service-error.js';
import { Interrupted, OutputClosed, reasonOf, UsageError } from './admin.errors.js';
import { buildProgram } from './build-program.js';
import { escapeControls, escapeLine, print, type CommandResult } from './command-result.js';
import { readPassword, type Terminal } from './standard-input.js';

/** What a command line needs of the service around it. */
export interface CliContext {
  readonly open: (
    command: RegisteredCommand,
    embedded: boolean,
  ) => Promise<{ app: INestApplicationContext; close: () => Promise<void> }>;
  readonly record: (app: INestApplicationContext, run: CommandRun) => Promise<void>;
}

/** What the audit log says of a command. */
export interface CommandRun {
  readonly id: string;
  readonly actor: string;
  readonly command: RegisteredCommand;
  /** The command line, which never holds a password. */
  readonly argv: readonly string[];
  readonly subject: string | undefined;
  /** The word for the outcome in the audit log. */
  readonly outcome: 'begun' | 'success' | 'refused' | 'failure';
  readonly reason?: string;
}

/** Runs a command line; returns 1 for rejected or failed, 2 for wrong usage, 130 for Ctrl-C. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  context: CliContext,
): Promise<number> {
  const program = buildProgram(execute, terminal);
  let exitStatus = 0;
  try {
    // Node decodes invalid UTF-8 as U+FFFD.
    if (argv.some((text) => text.includes('\uFFFD')))
      program.error('error: an argument is not valid UTF-8');
    await program.parseAsync(argv, { from: 'user' });
    return exitStatus;
  } catch (error) {
    return reportError(error, terminal);
  }

  async function execute(
    command: RegisteredCommand,
    values: readonly unknown[],
    given: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { embedded, passwordStdin, ...options }: Record<string, unknown> = given;
    if (command.readsPassword)
      options['password'] = await readPassword(passwordStdin === true, terminal);
    const { app, close } = await context.open(command, embedded === true);
    try {
      const call = { command, argv: argv.slice(command.name.split(' ').length) };
      const result = await runRecorded(app, call, [...values, options], context.record);
      exitStatus = result.exitStatus ?? 0;
      await print(result, options['json'] === true, terminal.stdout);
    } finally {
      await close();
    }
  }
}

/** Executes a command and records its outcome, and its start in case it is killed. */
async function runRecorded(
  app: INestApplicationContext,
  { command, argv }: Pick<CommandRun, 'command' | 'argv'>,
  values: readonly unknown[],
  record: CliContext['record'],
): Promise<CommandResult> {
  const owner = app.get(command.owner, { strict: false });
  const handler = owner[command.method] as (
    ...values: unknown[]
  ) => CommandResult | Promise<CommandResult>;
  const subject = command.subject ? String(values[0]) : undefined;
  const run = { id: randomUUID(), actor: administrator(), command, argv, subject };
  if (!command.readOnly) await record(app, { ...run, outcome: 'begun' });
  let result: CommandResult;
  try {
    result = await handler.apply(owner, [...values]);
  } catch (error) {
    const outcome =
      error instanceof ServiceError || error instanceof UsageError ? 'refused' : 'failure';
    await record(app, { ...run, outcome, reason: reasonOf(error) }).catch(() => undefined);
    throw error;
  }
  await record(app, { ...run, outcome: 'success' }).catch((error: unknown) => {
    throw new Error(`the command is done but could not be recorded: ${reasonOf(error)}`, {
      cause: error,
    });
  });
  return result;
}

function reportError(error: unknown, { stderr }: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Interrupted) return 130;
  if (error instanceof OutputClosed) return 0;
  const escape = error instanceof ServiceError ? escapeLine : escapeControls;
  stderr.write(`${escape(reasonOf(error))}\n`);
  return 1;
}
