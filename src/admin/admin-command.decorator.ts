import type { INestApplicationContext } from '@nestjs/common';
import type { Argument, Option } from 'commander';
import type { EntityManager } from 'typeorm';
import type { CommandResult } from './command-result.js';

/** What a command changes, which its first argument names. */
export interface Subject {
  readonly argument: Argument;
  /** What stands before the name in the audit log, such as `restaurant:`. */
  readonly prefix?: string;
}

export interface CommandOptions {
  readonly subject?: Subject;
  /** Arguments that become parameters of the method, after that of the subject. */
  readonly arguments?: readonly Argument[];
  /** Options that become one object, the last parameter of the method. */
  readonly options?: readonly Option[];
  /** Adds the option `password`; it is not read with `--generate` or `--without-password`. */
  readonly readsPassword?: boolean;
  /** Adds `--dry-run`, which undoes what the command did in its transaction. */
  readonly dryRun?: boolean;
  /** Whether it changes nothing, so that it is recorded only when it ends. */
  readonly readOnly?: boolean;
  /** Whether it is given no transaction, as it has several of its own. */
  readonly ownTransactions?: boolean;
  /** Whether it also runs on a database that is not migrated, without a transaction. */
  readonly onAnySchema?: boolean;
}

/** The options of a command that changes something, in the transaction that also records it. */
export type Change<Options = object> = Options & { readonly transaction: EntityManager };

export interface RegisteredCommand extends CommandOptions {
  /** The group and the verb, such as `user add`. */
  readonly name: string;
  readonly description: string;
  readonly execute: (app: INestApplicationContext, values: unknown[]) => Promise<CommandResult>;
}

/** The commands of all imported classes; help shows them without settings or a database. */
export const adminCommands: RegisteredCommand[] = [];

type Handler = (...values: never[]) => CommandResult | Promise<CommandResult>;

/** Makes a method an administrator's command; see docs/extending.md#commands */
export function AdminCommand(name: string, description: string, options: CommandOptions = {}) {
  return ({ constructor }: object, _method: string, { value }: { value?: Handler }): void => {
    const execute: RegisteredCommand['execute'] = async (app, values) =>
      value!.apply(app.get(constructor, { strict: false }), values as never[]);
    adminCommands.push({ name, description, ...options, execute });
  };
}
