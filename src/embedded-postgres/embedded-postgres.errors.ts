/** Why the embedded PostgreSQL cannot be used: one line for the person who started the service. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** KeyedQueue whatever went wrong into one line; what is one already stays as it is. */
export function asEmbeddedPostgresError(error: unknown): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new EmbeddedPostgresError(`The embedded PostgreSQL cannot be used: ${text.split('\n', 1)[0]}`, {
    cause: error,
  });
}

/** The line that says why, out of all that a program of PostgreSQL wrote. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /error:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1) ?? 'no reason given';
  return reason.replace(/^.*?(error|FATAL|PANIC):\s*/, '');
}
