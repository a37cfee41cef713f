import { Logger } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { AppConfig } from '../config/app-config.js';

const logger = new Logger('Database');

/**
 * How long, in milliseconds, anything waits for the database. Every request is answered within five seconds: the worst is
 * to wait behind a statement that is not answered, and then for a connection that cannot be made.
 */
export const DATABASE_LIMITS = {
  /** Making a connection, or waiting for a free one. */
  connect: 1500,
  /** Waiting for a row that another transaction holds. */
  lock: 1500,
  /** One statement, as PostgreSQL measures it. */
  statement: 2500,
  /** One statement, as we measure it: PostgreSQL may be frozen or out of reach. */
  answer: 3000,
} as const;

/** The one place that says how this program connects; entities register themselves through their modules. */
export function connectionOptions(config: AppConfig): DataSourceOptions {
  return {
    type: 'postgres',
    url: config.DATABASE_URL,
    migrations,
    migrationsTableName: 'migrations',
    installExtensions: false,
    poolErrorHandler: (error: Error) => logger.warn(`an idle connection was lost: ${error.message}`),
    applicationName: 'sales-upload',
    extra: {
      max: config.DATABASE_POOL_MAX,
      keepAlive: true, // an idle connection whose other end has vanished is found out
      keepAliveInitialDelayMillis: 10_000,
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: DATABASE_LIMITS.connect,
      query_timeout: DATABASE_LIMITS.answer,
      statement_timeout: DATABASE_LIMITS.statement,
      lock_timeout: DATABASE_LIMITS.lock,
    },
  };
}
