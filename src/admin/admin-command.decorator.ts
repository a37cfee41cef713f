import type { Type } from '@nestjs/common';
import type { Argument, Option } from 'commander';
import type { CommandResult } from './command-result.js';

export interface CommandDescription {
  /** The group and the verb, such as `user add`. */
  readonly name: string;
  readonly description: string;
  /** What the first argument names, for the audit log. */
  readonly subject?: 'restaurant' | 'user';
  /** The first parameters of the method. */
  readonly arguments?: readonly Argument[];
  /** The last parameter of the method is an object of them. */
  readonly options?: readonly Option[];
  /** Adds `--password-stdin` and the option `password`. */
  readonly readsPassword?: boolean;
  /** Whether its connections cannot write; it is then recorded only when it ends. */
  readonly readOnly?: boolean;
  /** Whether it also runs on a database that is not migrated. */
  readonly onAnySchema?: boolean;
}

/** A method that carries out a command, and its class. */
export interface RegisteredCommand extends CommandDescription {
  readonly owner: Type<Record<string, unknown>>;
  readonly method: string;
}

/** The commands of all imported classes; help shows them without settings or a database. */
export const adminCommands: RegisteredCommand[] = [];

/** A decorator for methods that return a result. */
type CommandDecorator = <
  Handler extends (...values: never[]) => CommandResult | Promise<CommandResult>,
>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/** Makes a method an administrator's command; see docs/extending.md#commands */
export function AdminCommand(description: CommandDescription): CommandDecorator {
  return ({ constructor }, method) => {
    const owner = constructor as RegisteredCommand['owner'];
    adminCommands.push({ ...description, owner, method });
  };
}
