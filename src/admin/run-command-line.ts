import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Command, CommanderError } from 'commander';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Outcome } from '../audit/audit-event.entity.js';
import { administrator, programName } from '../config/administrator.js';
import { RELEASE } from '../config/release.js';
import { Database } from '../database/database.js';
import { isRejection } from '../http/errors/service-error.js';
import { Interrupted, reasonOf, UsageError } from './admin.errors.js';
import { adminCommands, type RegisteredCommand } from './admin-command.decorator.js';
import {
  type CommandResult,
  escapeControls,
  escapeLine,
  type Event,
  print,
} from './command-result.js';
import { FileRejected } from './csv-table.js';
import { readPassword, type Terminal } from './standard-input.js';

/** So often a command that changes something says on standard error that it lives. */
const STILL_WORKING_MS = 10_000;

/** Opens the application for a command; `embedded` allows a new database. */
export type OpenApp = (
  command: RegisteredCommand,
  embedded: boolean,
) => Promise<{ app: INestApplicationContext; close?: () => Promise<void> }>;

/** Runs a command line; returns 1 for rejected or failed, 2 for wrong usage, 130 for Ctrl-C. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  openApp: OpenApp,
): Promise<number> {
  const program = buildProgram(terminal, execute);
  let exitStatus = 0;
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitStatus;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Interrupted) return 130;
    const isLine = isRejection(error) && !(error instanceof FileRejected);
    const escape = isLine ? escapeLine : escapeControls;
    terminal.stderr.write(`${escape(reasonOf(error))}\n`);
    return 1;
  }

  async function execute(command: RegisteredCommand, values: unknown[]): Promise<void> {
    const options = values.at(-1) as Record<string, unknown>;
    if (command.readsPassword && !options['generate'] && !options['withoutPassword'])
      options['password'] = await readPassword(options['passwordStdin'] === true, terminal);
    const { app, close } = await openApp(command, options['embedded'] === true);
    const tell = () => terminal.stderr.write(`${command.name}: still working\n`);
    const timer = command.readOnly ? undefined : setInterval(tell, STILL_WORKING_MS);
    try {
      const result = await executeRecorded(command, argv, values, app);
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
  execute: (command: RegisteredCommand, values: unknown[]) => Promise<void>,
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
    command.action((...given: unknown[]) =>
      execute(description, given.slice(0, -1)).catch((error: unknown) => {
        if (error instanceof UsageError) command.error(`error: ${error.message}`);
        throw error;
      }),
    );
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
  const { subject, arguments: others = [], options = [], readsPassword, dryRun } = description;
  for (const argument of subject ? [subject.argument, ...others] : others)
    command.addArgument(argument);
  for (const option of options) command.addOption(option);
  if (readsPassword)
    command.option('--password-stdin', 'read the password from the first line of standard input');
  if (dryRun) command.option('--dry-run', 'check everything, say what would change, save nothing');
  return command
    .option(
      '--embedded',
      'use the embedded database in DATA_DIR, and create it if it does not exist',
    )
    .option('--json', 'print one JSON document');
}

/** Executes a command; records its start, in case it is killed, and its outcome. */
async function executeRecorded(
  command: RegisteredCommand,
  argv: readonly string[],
  values: unknown[],
  app: INestApplicationContext,
): Promise<CommandResult> {
  const { readOnly, ownTransactions, onAnySchema } = command;
  const record = recorderOf(command, argv, values, app);
  const options = values.at(-1) as { dryRun?: boolean; transaction?: EntityManager };
  const isDryRun = command.dryRun && options.dryRun;
  const execute = async (transaction?: EntityManager): Promise<CommandResult> => {
    if (transaction) Object.assign(options, { transaction });
    if (isDryRun) await transaction!.query('SAVEPOINT unchanged');
    const done = await command.execute(app, values);
    if (isDryRun) await transaction!.query('ROLLBACK TO unchanged');
    const result = isDryRun ? asDryRun(done) : done;
    await record('success', result.changes, transaction).catch((error: unknown) => {
      const state = transaction ? 'undone, as it' : 'done but';
      throw new Error(`the command is ${state} could not be recorded: ${reasonOf(error)}`);
    });
    await result.beforeCommit?.();
    return result;
  };
  if (!readOnly) await record('begun');
  try {
    if (readOnly || ownTransactions || onAnySchema) return await execute();
    return await app.get(Database).transaction(async (transaction) => {
      // A command may work for long before it locks anything.
      await transaction.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      return execute(transaction);
    });
  } catch (error) {
    const outcome = isRejection(error) ? 'refused' : 'failure';
    const reason = reasonOf(error);
    await record(outcome, undefined, undefined, { reason }).catch(() => undefined);
    throw error;
  }
}

function asDryRun({ text, json }: CommandResult): CommandResult {
  return {
    text: `${text as string}\nnothing was saved, as this was a dry run`,
    json: { dry_run: true, ...(json as object) },
  };
}

/**
 * Returns a function that records the events of one command: one for each subject, and at last the
 * one of the command itself, which has the details of the subject that it names.
 */
function recorderOf(
  command: RegisteredCommand,
  argv: readonly string[],
  values: readonly unknown[],
  app: INestApplicationContext,
) {
  const audit = app.get(AuditService, { strict: false });
  const subject = subjectOf(command, values);
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
    for (const { subject, details: ofSubject } of events) {
      const details = { ...ofRun, ...ofOutcome, ...ofSubject };
      const recorded = audit.record({ ...ofCommand, subject, outcome, details }, transaction);
      // A database that is not migrated may lack the table.
      await (command.onAnySchema ? recorded.catch(() => undefined) : recorded);
    }
  };
}

/** Returns the name of the one subject of a command in the audit log, or null for several. */
function subjectOf({ subject }: RegisteredCommand, [first]: readonly unknown[]): string | null {
  const [name, ...others] = [first].flat();
  const isNamed = others.length === 0 && (typeof name === 'string' || typeof name === 'number');
  return subject && isNamed ? `${subject.prefix ?? ''}${name}` : null;
}
