import { commandError } from '../http/errors/service-error.js';

/** Wrong usage: the usage is printed. */
export class UsageError extends Error {}

export const CommandRejected = commandError('refused', 400, (reason: string) => reason);

/** Ctrl-C at a question. */
export class Interrupted extends Error {}

/** The reader closed the output early, as `| head` does. */
export class OutputClosed extends Error {}
