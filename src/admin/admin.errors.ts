import { commandError } from '../http/errors/service-error.js';

/** The arguments make no command: the usage is printed, exit status 2. */
export class UsageError extends Error {}

/** The command cannot be done: the reason alone is printed, exit status 1. */
export const CommandRejected = commandError('refused', 400, (reason: string) => reason);

/** Ctrl-C at a question: exit status 130, as in a shell. */
export class Interrupted extends Error {}

/** The reader closed the output early, as `| head` does: exit status 0. */
export class OutputClosed extends Error {}
