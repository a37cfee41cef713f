import type { INestApplicationContext } from '@nestjs/common';
import type { Argument, Option } from 'commander';
import type { EntityManager } from 'typeorm';
import type { CommandResult } from './command-result.js';

interface CommandDescription {
  /** The group and the verb, such as `user add`. */
  readonly name: string;
  readonly description: string;
  /** What the first argument names; it is changed in one transaction with the row that says so. */
  readonly subject?: 'restaurant' | 'user';
  /** Arguments that become the first parameters of the method. */
  readonly arguments?: readonly Argument[];
  /** Options that become one object, the last parameter of the method. */
  readonly options?: readonly Option[];
  /** Adds `--password-stdin` and the option `password`, not read with `--generate` or `--without-password`. */
  readonly readsPassword?: boolean;
  /**
   * Whether it may take minutes: every ten seconds it says on standard error what it does, by
   * default that it works, else what it gives to the option `say`.
   */
  readonly isSlow?: boolean;
  /** Whether it changes nothing, so that it is recorded only when it ends. */
  readonly readOnly?: boolean;
  /** Whether it also runs on a database that is not migrated. */
  readonly onAnySchema?: boolean;
}

/** The options of a command with a subject, which it changes in the transaction. */
export type Change<Options = object> = Options & { readonly transaction: EntityManager };

/**
 * Commits what `work` changes together with the rows that record its result. Commands without a
 * subject are given it as the option `commit`.
 */
export type Commit = (
  work: (transaction: EntityManager) => Promise<CommandResult>,
) => Promise<CommandResult>;

export type Say = (state: string) => void;

export interface RegisteredCommand extends CommandDescription {
  readonly execute: (app: INestApplicationContext, values: unknown[]) => Promise<CommandResult>;
}

/** The commands of all imported classes; help shows them without settings or a database. */
export const adminCommands: RegisteredCommand[] = [];

type Handler = (...values: never[]) => CommandResult | Promise<CommandResult>;

/** Makes a method an administrator's command; see docs/extending.md#commands */
export function AdminCommand(description: CommandDescription) {
  return ({ constructor }: object, _method: string, { value }: { value?: Handler }): void => {
    const execute: RegisteredCommand['execute'] = async (app, values) =>
      value!.apply(app.get(constructor, { strict: false }), values as never[]);
    adminCommands.push({ ...description, execute });
  };
}
