import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Command, CommanderError, Option } from 'commander';
import type { EntityManager } from 'typeorm';
import { administrator, programName } from '../config/administrator.js';
import { RELEASE } from '../config/release.js';
import { Database } from '../database/database.js';
import { isRejection } from '../http/errors/service-error.js';
import { CommandRejected, Interrupted, reasonOf, UsageError } from './admin.errors.js';
import {
  adminCommands,
  type Commit,
  type RegisteredCommand,
  type Say,
} from './admin-command.decorator.js';
import {
  type CommandResult,
  escapeControls,
  escapeLine,
  type Event,
  print,
} from './command-result.js';
import { readPassword, type Terminal } from './standard-input.js';

export const EMBEDDED_OPTION = new Option(
  '--embedded',
  'use the embedded database in DATA_DIR, and create it if it does not exist',
);

const STILL_WORKING_MS = 10_000;

type Outcome = 'begun' | 'success' | 'refused' | 'failure';

/** What the audit log says of a command. */
export interface CommandEvent {
  readonly actor: string;
  readonly action: string;
  readonly subject: string | null;
  readonly outcome: Outcome;
  /** `argv` never holds a password; `run` is the same in both events of a command. */
  readonly details: { argv: readonly string[]; run: string; reason?: string };
}

/** What a command line needs of the service around it. */
export interface CliContext {
  readonly open: (
    command: RegisteredCommand,
    embedded: boolean,
  ) => Promise<{ app: INestApplicationContext; close?: () => Promise<void> }>;
  record(app: INestApplicationContext, event: CommandEvent, manager?: EntityManager): Promise<void>;
}

/** Runs a command line; returns 1 for rejected or failed, 2 for wrong usage, 130 for Ctrl-C. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  context: CliContext,
): Promise<number> {
  const program = buildProgram(terminal, execute);
  let exitStatus = 0;
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitStatus;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Interrupted) return 130;
    // A text of a service is one line; one of a command may list faults.
    const isLine = isRejection(error) && !(error instanceof CommandRejected);
    const escape = isLine ? escapeLine : escapeControls;
    terminal.stderr.write(`${escape(reasonOf(error))}\n`);
    return 1;
  }

  async function execute(command: RegisteredCommand, parsed: Command): Promise<void> {
    const options = parsed.opts<Record<string, unknown>>();
    if (command.readsPassword && !options['generate'] && !options['withoutPassword'])
      options['password'] = await readPassword(options['passwordStdin'] === true, terminal);
    const values = [...(parsed.processedArgs as unknown[]), options];
    const { app, close } = await context.open(command, options['embedded'] === true);
    const timer = command.isSlow
      ? tellThatItWorks(command.name, options, terminal.stderr)
      : undefined;
    try {
      const result = await executeRecorded(command, argv, values, app, context);
      exitStatus = result.exitStatus ?? 0;
      await print(result, options['json'] === true, terminal.stdout);
    } finally {
      clearInterval(timer);
      await close?.();
    }
  }
}

function buildProgram(
  { stdout, stderr }: Terminal,
  execute: (command: RegisteredCommand, parsed: Command) => Promise<void>,
): Command {
  const program = new Command(programName())
    .description("The administrator's command line")
    .version(RELEASE)
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(escapeControls(text)),
    });
  for (const description of adminCommands) {
    const command = addCommand(program, description);
    command.action(async () => {
      try {
        await execute(description, command);
      } catch (error) {
        if (error instanceof UsageError) command.error(`error: ${error.message}`);
        throw error;
      }
    });
  }
  return program;
}

/** Adds a command to its group; the first word of its name is that of the group. */
function addCommand(program: Command, description: RegisteredCommand): Command {
  const [groupName = '', verb = ''] = description.name.split(' ');
  const known = program.commands.find((each) => each.name() === groupName);
  const group = known ?? program.command(groupName);
  const command = group.command(verb).description(description.description);
  group.description(group.commands.map((each) => each.name()).join(', '));
  for (const argument of description.arguments ?? []) command.addArgument(argument);
  for (const option of description.options ?? []) command.addOption(option);
  if (description.readsPassword)
    command.option('--password-stdin', 'read the password from the first line of standard input');
  return command.addOption(EMBEDDED_OPTION).option('--json', 'print one JSON document');
}

/** Executes a command; records its start, in case it is killed, and its outcome. */
async function executeRecorded(
  command: RegisteredCommand,
  argv: readonly string[],
  values: unknown[],
  app: INestApplicationContext,
  context: CliContext,
): Promise<CommandResult> {
  const record = recorderOf(command, argv, values, app, context);
  let isRecorded = false as boolean;
  const recordSuccess = async (result: CommandResult, transaction?: EntityManager) => {
    await record('success', result.changes, transaction).catch((error: unknown) => {
      const state = transaction ? 'undone, as it' : 'done but';
      throw new Error(`the command is ${state} could not be recorded: ${reasonOf(error)}`);
    });
    isRecorded = true;
    return result;
  };
  const commit: Commit = (work) =>
    app.get(Database).transaction(async (transaction) => {
      return recordSuccess(await work(transaction), transaction);
    });
  const executeWith = (more: object) => {
    Object.assign(values.at(-1) as object, more);
    return command.execute(app, values);
  };
  if (!command.readOnly) await record('begun');
  try {
    if (command.subject) return await commit((transaction) => executeWith({ transaction }));
    const result = await executeWith({ commit });
    return isRecorded ? result : await recordSuccess(result);
  } catch (error) {
    const outcome = isRejection(error) ? 'refused' : 'failure';
    await record(outcome, [], undefined, { reason: reasonOf(error) }).catch(() => undefined);
    throw error;
  }
}

/**
 * Returns a function that records the events of one command: one for each subject, and at last the
 * one of the command itself, which has the details of the subject that it names.
 */
function recorderOf(
  command: RegisteredCommand,
  argv: readonly string[],
  [first]: readonly unknown[],
  app: INestApplicationContext,
  context: CliContext,
) {
  const prefix = command.subject === 'restaurant' ? 'restaurant:' : '';
  const [name, ...others] = [first].flat();
  const isNamed = others.length === 0 && (typeof name === 'string' || typeof name === 'number');
  const subject = command.subject && isNamed ? `${prefix}${name}` : null;
  const ofCommand = { actor: administrator(), action: command.name };
  const ofRun = { argv: argv.slice(2), run: randomUUID() };
  return async (
    outcome: Outcome,
    changes: readonly Event[] = [],
    transaction?: EntityManager,
    ofOutcome: object = {},
  ): Promise<void> => {
    const own = changes.find((change) => change.subject === subject);
    const events = [...changes.filter((change) => change !== own), { ...own, subject }];
    for (const { subject, details } of events) {
      const event = { ...ofCommand, subject, outcome, details: { ...ofRun, ...ofOutcome, ...details } }; // prettier-ignore
      const recorded = context.record(app, event, transaction);
      // A database that is not migrated may lack the table.
      if (command.onAnySchema) await recorded.catch(() => undefined);
      else await recorded;
    }
  };
}

/** Says every ten seconds on standard error what a slow command does, until it is stopped. */
function tellThatItWorks(name: string, options: object, stderr: NodeJS.WritableStream) {
  const begun = performance.now();
  let state = 'still working';
  const say: Say = (text) => (state = text);
  Object.assign(options, { say });
  const tell = () => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    stderr.write(`${name}: ${state}, after ${seconds} seconds\n`);
  };
  return setInterval(tell, STILL_WORKING_MS).unref();
}
