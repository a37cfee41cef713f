import { SetMetadata } from '@nestjs/common';
import type { CommandResult } from './command-result.js';

export interface CommandArgument {
  /** `<one>`, `[optional]`, `[several...]`. */
  readonly syntax: string;
  readonly description: string;
  readonly parse?: (text: string) => unknown;
}

export interface CommandOption extends CommandArgument {
  readonly required?: boolean;
  readonly choices?: readonly string[];
}

export interface CommandDescription {
  /** Group and verb: `user add` */
  readonly name: string;
  readonly description: string;
  /** The first argument's kind, for the audit log. */
  readonly subject?: 'restaurant' | 'user';
  readonly arguments?: readonly CommandArgument[];
  /** The last parameter, an object. */
  readonly options?: readonly CommandOption[];
  /** Adds `--password-stdin` and the option `password`. */
  readonly readsPassword?: boolean;
  /** Adds the option `lines`: an `AsyncIterable` of the lines of standard input, each with its number. */
  readonly readsLines?: boolean;
  /** Recorded only when it ends. */
  readonly readOnly?: boolean;
  /** Also runs on a database that is not migrated. */
  readonly onAnySchema?: boolean;
}

export const ADMIN_COMMAND = 'admin-command';

/** Makes a method an administrator's command; see docs/extending.md#commands */
export function AdminCommand(description: CommandDescription) {
  return <Handler extends (...values: never[]) => Promise<CommandResult>>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void => {
    SetMetadata(ADMIN_COMMAND, description)(target, method, descriptor);
  };
}
