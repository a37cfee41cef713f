import { Argument, Command, Option } from 'commander';
import type { CommandArgument, CommandOption } from './admin-command.decorator.js';
import { UsageError } from './admin.errors.js';
import { escapeControls } from './command-result.js';
import type { FoundCommand } from './find-commands.js';
import type { Terminal } from './standard-input.js';

export interface ParsedArguments {
  readonly values: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
}

type Execute = (command: FoundCommand, parsed: ParsedArguments) => Promise<void>;

/** Builds the commander program; the first word of a name is its group. */
export function buildProgram(
  commands: readonly FoundCommand[],
  execute: Execute,
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
): Command {
  const program = new Command('npm run --silent admin --')
    .description("The administrator's command line")
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(escapeControls(text)),
    });
  for (const description of commands) {
    const [group = '', verb = ''] = description.name.split(' ');
    addCommand(findOrAddGroup(program, group).command(verb), description, execute);
  }
  for (const group of program.commands) group.description(group.commands.map((command) => command.name()).join(', '));
  return program;
}

function findOrAddGroup(program: Command, name: string): Command {
  return program.commands.find((group) => group.name() === name) ?? program.command(name);
}

function addCommand(command: Command, description: FoundCommand, execute: Execute): void {
  command.description(description.description);
  for (const argument of description.arguments ?? []) command.addArgument(createArgument(argument));
  for (const option of description.options ?? []) command.addOption(createOption(option));
  if (description.readsPassword) {
    command.option('--password-stdin', 'read the password from the first line of standard input');
  }
  command.option('--embedded', 'use the embedded database in DATA_DIR, and create it if it does not exist');
  command.option('--json', 'print one JSON document');
  command.action(async (...parameters: unknown[]) => {
    const values = parameters.slice(0, command.registeredArguments.length);
    await execute(description, { values, options: command.opts() }).catch((error: unknown) => {
      if (error instanceof UsageError) command.error(`error: ${error.message}`);
      throw error;
    });
  });
}

function createArgument({ syntax, description, parse }: CommandArgument): Argument {
  const argument = new Argument(syntax, description);
  if (parse && argument.variadic) {
    argument.argParser((text, before: unknown[] | undefined) => [...(before ?? []), parse(text)]);
  } else if (parse) argument.argParser(parse);
  return argument;
}

function createOption({ syntax, description, required = false, choices, parse }: CommandOption): Option {
  const option = new Option(syntax, description).makeOptionMandatory(required);
  if (choices) option.choices(choices);
  return parse ? option.argParser(parse) : option;
}
