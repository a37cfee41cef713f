import type { DatabaseConfig } from './database.config.js';

/**
 * What a request may take, as shares of RESPONSE_TIMEOUT_MS. It waits for its turn, then for a
 * connection, then for its query: all three end before `answer`, when it gets 503 wherever it is.
 */
const SHARES = {
  /** Waiting for the turn of an upload or a report. */
  queue: 0.25,
  /** Waiting for a free connection. */
  connection: 0.15,
  /** Running a query: PostgreSQL ends one that waits for a lock, or that takes too long. */
  lock: 0.3,
  statement: 0.4,
  /** Running a query that PostgreSQL does not end, as it is frozen or out of reach. */
  query: 0.45,
  /** Hashing a password and what else comes before a transaction, which is not begun later. */
  work: 0.5,
  answer: 0.9,
};

/** Returns the time limits of the parts of a request, in milliseconds. */
export function timeLimits({
  RESPONSE_TIMEOUT_MS: whole,
}: Pick<DatabaseConfig, 'RESPONSE_TIMEOUT_MS'>) {
  const limits = Object.entries(SHARES).map(([part, share]) => [part, Math.round(share * whole)]);
  return Object.fromEntries(limits) as Record<keyof typeof SHARES, number>;
}
