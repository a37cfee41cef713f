import { commandError } from '../http/errors/service-error.js';

export class UsageError extends Error {}

export const CommandRejected = commandError({
  code: 'rejected',
  status: 400,
  text: (reason: string) => reason,
});

export class Interrupted extends Error {}

/** The reader closed the output early, as `| head` does. */
export class OutputClosed extends Error {}

/** An AggregateError may have no message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
