import type { DatabaseConfig } from '../config/database.config.js';

/** Divides the time of a response, in milliseconds: a connection and a statement together stay below it. */
export function timeLimits({ RESPONSE_TIMEOUT_MS: total }: DatabaseConfig) {
  return {
    connectionTimeoutMillis: Math.round(0.3 * total),
    lock_timeout: Math.round(0.3 * total),
    statement_timeout: Math.round(0.5 * total),
    query_timeout: Math.round(0.6 * total), // a frozen PostgreSQL applies no limits
  };
}
