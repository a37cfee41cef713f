import { ServiceError } from '../http/errors/service-error.js';

/** What was typed makes no command; the usage is printed besides, exit status 2. */
export class UsageError extends Error {}

/** The command was understood and is not done: the reason alone is printed, exit status 1, as for a service's error. */
export class CommandRejected extends ServiceError {
  readonly status = 400;
  readonly code = 'refused';
}

/** Ctrl-C at a question; exit status 130, as a shell has it. */
export class Interrupted extends Error {}

/** Who reads our output has seen enough of it, as `| head` does: no failure, exit status 0. */
export class OutputClosed extends Error {}
