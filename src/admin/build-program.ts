import { Command, Option } from 'commander';
import { adminCommands, type RegisteredCommand } from './admin-command.decorator.js';
import { UsageError } from './admin.errors.js';
import { escapeControls } from './command-result.js';
import type { Terminal } from './standard-input.js';

export const EMBEDDED_OPTION = new Option(
  '--embedded',
  'use the embedded database in DATA_DIR, and create it if it does not exist',
);

type Execute = (
  command: RegisteredCommand,
  values: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** Builds the commander program; the first word of a name is its group. */
export function buildProgram(execute: Execute, { stdout, stderr }: Terminal): Command {
  const program = new Command('npm run --silent admin --')
    .description("The administrator's command line")
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(escapeControls(text)),
    });
  for (const description of adminCommands) {
    const [groupName = '', verb = ''] = description.name.split(' ');
    const group = program.commands.find((each) => each.name() === groupName);
    addCommand((group ?? program.command(groupName)).command(verb), description, execute);
  }
  for (const group of program.commands)
    group.description(group.commands.map((command) => command.name()).join(', '));
  return program;
}

function addCommand(command: Command, description: RegisteredCommand, execute: Execute): void {
  command.description(description.description);
  for (const argument of description.arguments ?? []) command.addArgument(argument);
  for (const option of description.options ?? []) command.addOption(option);
  if (description.readsPassword)
    command.option('--password-stdin', 'read the password from the first line of standard input');
  command
    .addOption(EMBEDDED_OPTION)
    .option('--json', 'print one JSON document')
    .action(async () => {
      try {
        await execute(description, command.processedArgs, command.opts());
      } catch (error) {
        if (error instanceof UsageError) command.error(`error: ${error.message}`);
        throw error;
      }
    });
}
