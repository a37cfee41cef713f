import { Client } from 'pg';
import { migrations } from '../../migrations/index.js';
import type { AppConfig } from '../config/app-config.js';
import { DATABASE_LIMITS } from './connection-options.js';

/** No connection can be made; the message tells why. */
export class DatabaseUnreachable extends Error {}

/** The migrations of this release that the database lacks, oldest first. Changes nothing. Throws `DatabaseUnreachable`. */
export async function missingMigrations(config: AppConfig): Promise<string[]> {
  const client = new Client({
    connectionString: config.DATABASE_URL,
    connectionTimeoutMillis: DATABASE_LIMITS.connect,
    query_timeout: DATABASE_LIMITS.answer,
  });
  try {
    await client.connect();
  } catch (error) {
    throw new DatabaseUnreachable(`the database cannot be reached: ${messageOf(error)}`, { cause: error });
  }
  try {
    const { rows: tables } = await client.query(`SELECT WHERE to_regclass('migrations') IS NOT NULL`);
    if (tables.length === 0) return missingAfter([]);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    return missingAfter(rows.map(({ name }) => name));
  } finally {
    await client.end();
  }
}

/** The migrations of this release that are not among those that ran, oldest first. */
export function missingAfter(ran: readonly string[]): string[] {
  return migrations.map(({ name }) => name).filter((name) => !ran.includes(name));
}

/** A connection tried at several addresses fails with a list and no text. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return (error.errors as Error[]).map(({ message }) => message).join(', ');
  return error instanceof Error ? error.message : String(error);
}
