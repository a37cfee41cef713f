import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { migrations } from '../../migrations/index.js';
import type { AppConfig } from '../config/app-config.js';
import { databaseLimits, openConnection } from './connections.js';
import { Database } from './database.js';
import type { Statement } from './statement.js';

const POLL_MS = 500;
const STARTING_UP = '57P03';
const TOO_MANY_CONNECTIONS = '53300';
/** What PgBouncer responds while it cannot connect. */
const PROTOCOL_VIOLATION = '08P01';

const IS_MIGRATED = { name: 'is_migrated', text: "SELECT WHERE to_regclass('migrations') IS NOT NULL" };
const FIND_RUN_MIGRATIONS = { name: 'find_run_migrations', text: 'SELECT name FROM migrations' };

export class DatabaseUnreachable extends Error {
  constructor(override readonly cause: unknown) {
    const errors: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]; // one for each address
    super(`the database cannot be reached: ${errors.map((error) => (error as Error).message).join(', ')}`);
  }
}

@Injectable()
export class SchemaRepository {
  constructor(private readonly database: Database) {}

  missingMigrations(): Promise<string[]> {
    return findMissing((statement) => this.database.run(statement, []));
  }
}

/** Without an application. */
export async function missingMigrations(config: AppConfig): Promise<string[]> {
  const client = await openConnection(config, 'sales-upload', databaseLimits(config).read).catch((error: unknown) => {
    throw new DatabaseUnreachable(error);
  });
  return findMissing(async ({ text }) => (await client.query<{ name: string }>(text)).rows)
    .catch((error: unknown) => {
      throw isTransient(error) ? new DatabaseUnreachable(error) : error;
    })
    .finally(() => client.end());
}

/** Finds migrations of this release that have not run. PostgreSQL would log an error for a table that is missing. */
async function findMissing(run: (statement: Statement) => Promise<{ name: string }[]>): Promise<string[]> {
  const isMigrated = (await run(IS_MIGRATED)).length > 0;
  const ran = new Set(isMigrated ? (await run(FIND_RUN_MIGRATIONS)).map(({ name }) => name) : []);
  return migrations.map(({ name }) => name).filter((name) => !ran.has(name));
}

/** Returns the missing migrations. */
export async function waitForDatabase(config: AppConfig, onWait: (reason: string) => void): Promise<string[]> {
  const deadline = Date.now() + config.DATABASE_WAIT_SECONDS * 1000;
  for (let reported = false; ; reported = true) {
    try {
      return await missingMigrations(config);
    } catch (error) {
      if (!(error instanceof DatabaseUnreachable) || !isTransient(error.cause) || Date.now() >= deadline) throw error;
      if (!reported) onWait(error.message);
      await delay(POLL_MS);
    }
  }
}

function isTransient(cause: unknown): boolean {
  const codes = [STARTING_UP, TOO_MANY_CONNECTIONS, PROTOCOL_VIOLATION];
  return !(cause instanceof DatabaseError) || codes.includes(cause.code ?? '');
}
