import { SetMetadata } from '@nestjs/common';
import type { CommandResult } from './command-result.js';

export interface CommandArgument {
  /** `<one>`, `[optional]`, `[several...]`. */
  readonly syntax: string;
  readonly description: string;
  /** Converts each text given, as `wholeNumber` does; without it the text is the value. */
  readonly parse?: (text: string) => unknown;
}

export interface CommandOption extends CommandArgument {
  readonly required?: boolean;
}

export interface CommandDescription {
  /** Group and verb: `user add`. */
  readonly name: string;
  readonly description: string;
  /** In the order of the method's parameters. */
  readonly arguments?: readonly CommandArgument[];
  /** The method's last parameter holds those given, by their names in camelCase. */
  readonly options?: readonly CommandOption[];
  /** What the first argument names; the audit log then finds the command under it. */
  readonly subject?: 'restaurant' | 'user';
  /** Adds `--password-stdin`; the options then hold `password`. */
  readonly readsPassword?: boolean;
  /** Changes nothing: one audit row when it ends is enough. */
  readonly readOnly?: boolean;
  /** Also runs on a database that is not migrated. */
  readonly onAnySchema?: boolean;
}

export const ADMIN_COMMAND = 'admin-command';

/**
 * Makes a method of an injectable `XxxCommands` class, a provider of its feature's module, an administrator's command:
 *
 * ```ts
 * @AdminCommand({
 *   name: 'restaurant add',
 *   description: 'Add a restaurant',
 *   subject: 'restaurant',
 *   arguments: [{ syntax: '<id>', description: 'its number', parse: wholeNumber }],
 *   options: [{ syntax: '--name <name>', description: 'its name', required: true }],
 * })
 * async add(id: number, { name }: { name: string }): Promise<CommandResult> {
 *   await this.restaurants.add(id, name);
 *   return { text: `restaurant ${id} (${name}) added`, json: { id, name } };
 * }
 * ```
 *
 * A service's error is printed to standard error, exit status 1; `UsageError` with the usage, exit status 2.
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
