import { commandError } from '../http/errors/service-error.js';

export class UsageError extends Error {}

export class Interrupted extends Error {}

export const CommandRejected = commandError({
  code: 'rejected',
  status: 400,
  text: (reason: string) => reason,
});

/** Returns the message of an error; an AggregateError may have none of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
