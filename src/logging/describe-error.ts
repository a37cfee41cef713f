/** What the log says of an error. */
interface Failure {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: Failure;
}

/**
 * Chosen fields only. The driver's errors carry the statement's parameters and the row that was refused: a password's
 * hash, a till's figures.
 */
export function describeError(error: unknown): Failure {
  if (!(error instanceof Error)) return { type: typeof error, message: 'something that is no error was thrown' };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(stack === undefined ? {} : { stack }),
    ...(cause instanceof Error ? { cause: describeError(cause) } : {}),
  };
}
