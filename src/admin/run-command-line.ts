import { CommanderError } from 'commander';
import { ServiceError } from '../http/errors/service-error.js';
import { Interrupted, OutputClosed } from './admin.errors.js';
import { buildProgram, type ParsedArguments } from './build-program.js';
import type { FoundCommand } from './find-commands.js';
import { readPassword } from './password-input.js';
import { reasonOf, runRecorded, type CliContext } from './run-recorded.js';
import { print, type Terminal } from './terminal.js';

/**
 * Runs what was typed and returns the exit status: 0 done, 1 refused or failed, 2 wrong usage, 130 interrupted, or what
 * the answer says.
 */
export async function runCommandLine(
  commands: readonly FoundCommand[],
  args: readonly string[],
  terminal: Terminal,
  surroundings: CliContext,
): Promise<number> {
  const program = buildProgram(commands, carryOut, terminal);
  let exitStatus = 0;
  try {
    // Node puts this sign where bytes of an argument are not UTF-8; a name must not get it unnoticed.
    if (args.some((text) => text.includes('\uFFFD'))) program.error('error: an argument is not valid UTF-8');
    await program.parseAsync(args, { from: 'user' });
    return exitStatus;
  } catch (error) {
    return statusOf(error, terminal, surroundings);
  }

  async function carryOut(command: FoundCommand, given: ParsedArguments): Promise<void> {
    const values = await valuesOf(command, given, terminal);
    const { app, close } = await surroundings.open(command);
    try {
      const typed = args.slice(command.name.split(' ').length);
      const answer = await runRecorded(app, { command, typed, values }, surroundings.record);
      exitStatus = answer.exitStatus ?? 0;
      await print(answer, given.options['json'] === true, terminal.stdout);
    } finally {
      await close();
    }
  }
}

/** Tells what went wrong, unless commander has done so. */
function statusOf(error: unknown, { stderr }: Terminal, { showsStacks }: CliContext): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Interrupted) return 130;
  if (error instanceof OutputClosed) return 0;
  const isFailure = error instanceof Error && !(error instanceof ServiceError);
  const stack = isFailure && showsStacks() ? error.stack : undefined;
  stderr.write(`${stack ?? reasonOf(error)}\n`);
  return 1;
}

/** The method's parameters: the arguments, then the options. */
async function valuesOf(command: FoundCommand, given: ParsedArguments, terminal: Terminal): Promise<unknown[]> {
  const { passwordStdin, ...options }: Record<string, unknown> = given.options;
  if (command.readsPassword) options['password'] = await readPassword(passwordStdin === true, terminal);
  return [...given.values, options];
}
