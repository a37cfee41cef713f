import { SetMetadata } from '@nestjs/common';
import type { CommandResult } from './command-result.js';

/** A positional argument. */
export interface CommandArgument {
  /** `<one>`, `[optional]`, `[several...]`. */
  readonly syntax: string;
  readonly description: string;
  /** Makes the value of each text given, `wholeNumber` for one; without it the text is the value. */
  readonly parse?: (text: string) => unknown;
}

/** An option with its value, `--name <name>`, or a switch, `--all`. */
export interface CommandOption {
  readonly syntax: string;
  readonly description: string;
  readonly required?: boolean;
  readonly parse?: (text: string) => unknown;
}

/** What an administrator may type, and what `--help` tells about it. */
export interface CommandDescription {
  /** The group and the verb: `user add`. */
  readonly name: string;
  readonly description: string;
  /** In the order in which the method takes them. */
  readonly arguments?: readonly CommandArgument[];
  /** The method's last parameter: an object with the options by their names in camelCase, those not given left out. */
  readonly options?: readonly CommandOption[];
  /** Adds `--password-stdin`; the options then hold `password`, read from standard input or asked for twice. */
  readonly readsPassword?: boolean;
  /** Also runs where the database is not migrated. */
  readonly onAnySchema?: boolean;
}

export const ADMIN_COMMAND = 'admin-command';

/**
 * Makes a method of an injectable `XxxCommands` class a command of the administrator. The class is a provider of its
 * feature's module, and nothing else is registered:
 *
 * ```ts
 * @AdminCommand({
 *   name: 'restaurant add',
 *   description: 'Make a restaurant',
 *   arguments: [{ syntax: '<id>', description: 'its number', parse: wholeNumber }],
 *   options: [{ syntax: '--name <name>', description: 'its name', required: true }],
 * })
 * async add(id: number, { name }: { name: string }): Promise<CommandResult> {
 *   await this.restaurants.add(id, name);
 *   return { text: `restaurant ${id} (${name}) added`, json: { id, name } };
 * }
 * ```
 *
 * The answer goes to standard output: its text, or its json where `--json` was given, which every command takes. A
 * service's error goes to standard error in the words that HTTP would use, and the exit status is 1. `UsageError`
 * prints the command's usage besides, and the exit status is 2.
 */
export function AdminCommand(description: CommandDescription) {
  return <Handler extends (...values: never[]) => Promise<CommandResult>>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void => {
    SetMetadata(ADMIN_COMMAND, description)(target, method, descriptor);
  };
}
