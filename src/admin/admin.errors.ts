import { commandError } from '../http/errors/service-error.js';

export class UsageError extends Error {}

export const CommandRejected = commandError({
  code: 'rejected',
  status: 400,
  text: (reason: string) => reason,
});

export class Interrupted extends Error {}

/** Is thrown when the reader closes the output early, as `| head` does. */
export class OutputClosed extends Error {}

/** Returns the message of an error; an AggregateError may have none of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
