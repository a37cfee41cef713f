import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DatabaseError, type ClientBase } from 'pg';
import { migrations } from '../../migrations/index.js';
import type { AppConfig } from '../config/app-config.js';
import { databaseLimits, openConnection } from './connections.js';
import { Database } from './database.js';

const POLL_MS = 500;
const UNDEFINED_TABLE = '42P01';
const STARTING_UP = '57P03';
const TOO_MANY_CONNECTIONS = '53300';
/** What PgBouncer responds while it cannot connect. */
const PROTOCOL_VIOLATION = '08P01';

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

  /** Migrations of this release that have not run. */
  async missingMigrations(): Promise<string[]> {
    return missingAfter(this.database.run<{ name: string }>(FIND_RUN_MIGRATIONS, []));
  }
}

/** Without an application. */
export async function missingMigrations(config: AppConfig): Promise<string[]> {
  const client = await openConnection(config, 'sales-upload', databaseLimits(config).read).catch((error: unknown) => {
    throw new DatabaseUnreachable(error);
  });
  const run = runMigrations(client).catch((error: unknown) => {
    throw isTransient(error) ? new DatabaseUnreachable(error) : error;
  });
  return missingAfter(run).finally(() => client.end());
}

/** PostgreSQL logs an error where the table is missing, as at the first start. */
async function runMigrations(client: ClientBase): Promise<{ name: string }[]> {
  const { rowCount } = await client.query("SELECT WHERE to_regclass('migrations') IS NOT NULL");
  return rowCount === 0 ? [] : (await client.query<{ name: string }>(FIND_RUN_MIGRATIONS.text)).rows;
}

async function missingAfter(run: Promise<{ name: string }[]>): Promise<string[]> {
  const rows = await run.catch((error: unknown) => {
    if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return [];
    throw error;
  });
  return migrations.map(({ name }) => name).filter((name) => !rows.some((ran) => ran.name === name));
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
