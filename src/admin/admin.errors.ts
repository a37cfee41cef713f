import { DatabaseTimeout } from '../database/timed-pool.js';
import { Overloaded } from '../http/errors/http.errors.js';
import { ServiceError } from '../http/errors/service-error.js';
import { isName, NAME_FORM } from '../http/validation/fields.decorator.js';

/** Is thrown when a command cannot do what it was asked, with the reason for people. */
export class CommandRejected extends ServiceError {
  constructor(reason: string) {
    super({ code: 'command_rejected', status: 400, text: reason });
  }
}

/** Rejects a text that cannot name something, which is `what`. */
export function assertName(what: string, text: string): void {
  if (!isName(text)) throw new CommandRejected(`a ${what} ${NAME_FORM}`);
}

/** Is thrown for a command line that makes no sense; the usage is printed below the message. */
export class UsageError extends CommandRejected {}

export class Interrupted extends Error {}

/** Returns the message of an error; an AggregateError may have none of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  if (error instanceof DatabaseTimeout)
    return `the database did not respond in time: ${reasonOf(error.cause)}`;
  if (error instanceof Overloaded) return 'the machine is too busy: run the command again later';
  return error instanceof Error ? error.message : String(error);
}
