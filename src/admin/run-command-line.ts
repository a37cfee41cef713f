import type { INestApplicationContext } from '@nestjs/common';
import { CommanderError } from 'commander';
import { Interrupted, Refused } from './admin.errors.js';
import type { Answer } from './answer.js';
import { buildProgram, type Given } from './build-program.js';
import type { FoundCommand } from './find-commands.js';
import { readPassword } from './password-input.js';
import { print, type Terminal } from './terminal.js';

/** What the command line needs from the program around it, as it knows no feature itself. */
export interface Surroundings {
  /** The application in which a command runs, opened only once the command is understood. */
  open(command: FoundCommand): Promise<{ app: INestApplicationContext; close(): Promise<void> }>;
  /** Whether an error is a service's own: the service refused. Anything else is a failure. */
  isRefusal(error: unknown): boolean;
  /** Is told of each command that ran, before its answer is printed. */
  record(app: INestApplicationContext, command: FoundCommand, outcome: Outcome): Promise<void>;
}

export interface Outcome {
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Why not. */
  readonly reason?: string;
}

/** Runs what was typed and returns the exit status: 0 done, 1 refused or failed, 2 wrong usage, 130 interrupted. */
export async function runCommandLine(
  commands: readonly FoundCommand[],
  args: readonly string[],
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  const carryOut = async (command: FoundCommand, given: Given): Promise<void> => {
    const values = await valuesOf(command, given, terminal);
    const { app, close } = await surroundings.open(command);
    try {
      const answer = await runRecorded(app, command, values, surroundings);
      await print(answer, given.options['json'] === true, terminal.stdout);
    } finally {
      await close();
    }
  };
  try {
    await buildProgram(commands, carryOut, terminal).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Interrupted) return 130;
    terminal.stderr.write(`${reasonOf(error)}\n`);
    return 1;
  }
}

/** The method's parameters: the arguments, then the options. */
async function valuesOf(command: FoundCommand, given: Given, terminal: Terminal): Promise<unknown[]> {
  const { json: _json, passwordStdin, ...options }: Record<string, unknown> = given.options;
  if (command.readsPassword) options['password'] = await readPassword(passwordStdin === true, terminal);
  return [...given.values, options];
}

async function runRecorded(
  app: INestApplicationContext,
  command: FoundCommand,
  values: unknown[],
  { isRefusal, record }: Surroundings,
): Promise<Answer> {
  const owner = app.get(command.owner, { strict: false });
  const handler = owner[command.method] as (...values: unknown[]) => Promise<Answer>;
  try {
    const answer = await handler.apply(owner, values);
    await record(app, command, { outcome: 'done' });
    return answer;
  } catch (error) {
    const refused = isRefusal(error) || error instanceof Refused;
    await record(app, command, { outcome: refused ? 'refused' : 'failed', reason: reasonOf(error) });
    throw error;
  }
}

/** Some failures have no text of their own, only a list of others (a connection tried at several addresses). */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
