import { Logger } from '@nestjs/common';
import { Client, type PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { AppConfig } from '../config/app-config.js';
import { GuardedPool } from './guarded-pool.js';

const logger = new Logger('Database');

/**
 * How long, in milliseconds, anything waits for the database. Every request is answered within five seconds: the worst
 * case is to wait for a statement that times out, and then for a connection that cannot be made.
 */
export const DATABASE_LIMITS = {
  /** Making a connection, or waiting for a free one. */
  connect: 1500,
  /** Waiting for a row that another transaction holds. */
  lock: 1500,
  /** One statement, as PostgreSQL measures it. */
  statement: 2500,
  /** One statement, as the service measures it: PostgreSQL may be frozen or out of reach. */
  read: 3000,
} as const;

/** How every connection of this program is made. */
function clientOptions(config: AppConfig, applicationName: string): PoolConfig {
  return {
    connectionString: config.DATABASE_URL,
    application_name: applicationName,
    keepAlive: true, // finds out that the other end of an idle connection has vanished
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: DATABASE_LIMITS.connect,
  };
}

/** The options of TypeORM, whose pool is the service's pool; entities are registered by their modules. */
export function dataSourceOptions(config: AppConfig, changes: PoolConfig = {}): DataSourceOptions {
  return {
    type: 'postgres',
    driver: { Pool: GuardedPool },
    migrations,
    migrationsTableName: 'migrations',
    installExtensions: false,
    poolErrorHandler: (error: Error) => logger.warn(`an idle connection was lost: ${error.message}`),
    extra: {
      ...clientOptions(config, 'sales-upload'),
      max: config.DATABASE_POOL_MAX,
      idleTimeoutMillis: 60_000,
      query_timeout: DATABASE_LIMITS.read,
      statement_timeout: DATABASE_LIMITS.statement,
      lock_timeout: DATABASE_LIMITS.lock,
      ...changes,
    },
  };
}

/** Opens a connection outside of the pool, with a time limit on its statements only where one is given. */
export async function openConnection(
  config: AppConfig,
  applicationName: string,
  readTimeout?: number,
): Promise<Client> {
  const client = new Client({ ...clientOptions(config, applicationName), query_timeout: readTimeout });
  client.on('error', () => undefined); // without a listener it would end the process; the statement under way fails
  await client.connect();
  return client;
}
