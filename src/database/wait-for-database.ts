import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { AppConfig } from '../config/app-config.js';
import { DatabaseUnreachable, missingMigrations } from './schema-version.js';

const POLL_MS = 500;

/** PostgreSQL answers, and will take us in a moment: it is starting, or has no connection to spare. */
const PASSING = ['57P03', '53300'];

/**
 * The migrations that the database lacks, once it can be reached: services that start together come up in any order.
 * `onWait` is told once why there is a wait. Throws `DatabaseUnreachable` after DATABASE_WAIT_SECONDS, and at once where
 * waiting would not help: a wrong password, an unknown database.
 */
export async function waitForDatabase(config: AppConfig, onWait: (reason: string) => void): Promise<string[]> {
  const deadline = Date.now() + config.DATABASE_WAIT_SECONDS * 1000;
  for (let told = false; ; told = true) {
    try {
      return await missingMigrations(config);
    } catch (error) {
      if (!(error instanceof DatabaseUnreachable) || !mayPass(error.cause) || Date.now() >= deadline) throw error;
      if (!told) onWait(error.message);
      await delay(POLL_MS);
    }
  }
}

function mayPass(cause: unknown): boolean {
  return !(cause instanceof DatabaseError) || PASSING.includes(cause.code ?? '');
}
