import { CommanderError } from 'commander';
import { ServiceError } from '../http/errors/service-error.js';
import { Interrupted, OutputClosed } from './admin.errors.js';
import { buildProgram, type ParsedArguments } from './build-program.js';
import { escapeControls, escapeLine } from './escape-controls.js';
import type { FoundCommand } from './find-commands.js';
import { reasonOf, runRecorded, type CliContext } from './run-recorded.js';
import { readLines, readPassword } from './standard-input.js';
import { print, type Terminal } from './terminal.js';

/** Runs one command line and returns its exit status: 1 for rejected or failed, 2 for wrong usage, 130 for Ctrl-C. */
export async function runCommandLine(
  commands: readonly FoundCommand[],
  argv: readonly string[],
  terminal: Terminal,
  context: CliContext,
): Promise<number> {
  const program = buildProgram(commands, execute, terminal);
  let exitStatus = 0;
  try {
    // Node decodes invalid UTF-8 as U+FFFD
    if (argv.some((text) => text.includes('\uFFFD'))) program.error('error: an argument is not valid UTF-8');
    await program.parseAsync(argv, { from: 'user' });
    return exitStatus;
  } catch (error) {
    return reportError(error, terminal, context);
  }

  async function execute(command: FoundCommand, { values, options: all }: ParsedArguments): Promise<void> {
    const { embedded, passwordStdin, ...options }: Record<string, unknown> = all;
    if (command.readsPassword) options['password'] = await readPassword(passwordStdin === true, terminal);
    if (command.readsLines) options['lines'] = readLines(terminal);
    const { app, close } = await context.open(command, embedded === true);
    try {
      const call = { command, argv: argv.slice(command.name.split(' ').length), values: [...values, options] };
      const result = await runRecorded(app, call, context.record);
      exitStatus = result.exitStatus ?? 0;
      await print(result, options['json'] === true, terminal.stdout);
    } finally {
      await close();
    }
  }
}

function reportError(error: unknown, { stderr }: Terminal, { showsStacks }: CliContext): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Interrupted) return 130;
  if (error instanceof OutputClosed) return 0;
  const isFailure = error instanceof Error && !(error instanceof ServiceError);
  const stack = isFailure && showsStacks() ? error.stack : undefined;
  stderr.write(`${isFailure ? escapeControls(stack ?? reasonOf(error)) : escapeLine(reasonOf(error))}\n`);
  return 1;
}
