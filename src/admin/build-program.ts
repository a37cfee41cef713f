import { Argument, Command, Option } from 'commander';
import type { CommandArgument, CommandDescription, CommandOption } from './admin-command.decorator.js';
import { UsageError } from './admin.errors.js';
import type { Terminal } from './terminal.js';

/** What was typed, checked and converted. */
export interface ParsedArguments {
  readonly values: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
}

type Carry<Description> = (command: Description, given: ParsedArguments) => Promise<void>;

/** A commander program of these commands, in groups by their first word; `carryOut` is called with the one typed. */
export function buildProgram<Description extends CommandDescription>(
  commands: readonly Description[],
  carryOut: Carry<Description>,
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
): Command {
  const program = new Command('npm run --silent admin --')
    .description("The administrator's command line")
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  for (const description of commands) {
    const [group = '', verb = ''] = description.name.split(' ');
    addCommand(groupOf(program, group).command(verb), description, carryOut);
  }
  for (const group of program.commands) group.description(group.commands.map((command) => command.name()).join(', '));
  return program;
}

function groupOf(program: Command, name: string): Command {
  return program.commands.find((group) => group.name() === name) ?? program.command(name);
}

function addCommand<Description extends CommandDescription>(
  command: Command,
  description: Description,
  carryOut: Carry<Description>,
): void {
  command.description(description.description);
  for (const argument of description.arguments ?? []) command.addArgument(asArgument(argument));
  for (const option of description.options ?? []) command.addOption(asOption(option));
  if (description.readsPassword) {
    command.option(
      '--password-stdin',
      'read the password from the first line of standard input, not from the terminal',
    );
  }
  command.option('--json', 'answer with one JSON document');
  command.action(async (...given: unknown[]) => {
    const values = given.slice(0, command.registeredArguments.length);
    await carryOut(description, { values, options: command.opts() }).catch((error: unknown) => {
      if (error instanceof UsageError) command.error(`error: ${error.message}`);
      throw error;
    });
  });
}

function asArgument({ syntax, description, parse }: CommandArgument): Argument {
  const argument = new Argument(syntax, description);
  if (parse && argument.variadic) {
    argument.argParser((text, before: unknown[] | undefined) => [...(before ?? []), parse(text)]);
  } else if (parse) argument.argParser(parse);
  return argument;
}

function asOption({ syntax, description, required = false, parse }: CommandOption): Option {
  const option = new Option(syntax, description).makeOptionMandatory(required);
  return parse ? option.argParser(parse) : option;
}
