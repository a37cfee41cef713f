import { commandError } from '../http/errors/service-error.js';

export class UsageError extends Error {}

export const CommandRejected = commandError('rejected', 400, (reason: string) => reason);

export class Interrupted extends Error {}

/** The reader closed the output early, as `| head` does. */
export class OutputClosed extends Error {}
