import type { DatabaseConfig } from '../config/database.config.js';

/** Divides the milliseconds of a response; a connection and a statement together take fewer. */
export function timeLimits({ RESPONSE_TIMEOUT_MS: total }: DatabaseConfig) {
  return {
    connectionTimeoutMillis: Math.round(0.3 * total),
    lock_timeout: Math.round(0.3 * total),
    statement_timeout: Math.round(0.5 * total),
    query_timeout: Math.round(0.6 * total), // a frozen PostgreSQL applies no limits
  };
}
