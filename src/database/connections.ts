import { Logger } from '@nestjs/common';
import { Client, type PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { AppConfig } from '../config/app-config.js';
import { GuardedPool } from './guarded-pool.js';

const logger = new Logger('Database');

/** Milliseconds. A statement and a connection together stay below five seconds. */
export const DATABASE_LIMITS = {
  connect: 1500,
  lock: 1500,
  statement: 2500,
  read: 3000, // a frozen PostgreSQL applies no limits
  transaction: 5000, // all of its statements
} as const;

function clientOptions(config: AppConfig, applicationName: string, url = config.DATABASE_URL): PoolConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: DATABASE_LIMITS.connect,
  };
}

export function dataSourceOptions(config: AppConfig, changes: PoolConfig = {}): DataSourceOptions {
  return {
    type: 'postgres',
    driver: { Pool: GuardedPool },
    migrations,
    migrationsTableName: 'migrations',
    installExtensions: false,
    poolErrorHandler: (error: Error) => logger.warn(`an idle connection was lost: ${error.message}`),
    extra: { ...poolOptions(config), ...changes },
  };
}

/** Connections with time limits. */
export function poolOptions(config: AppConfig, url?: string): PoolConfig {
  return {
    ...clientOptions(config, 'sales-upload', url),
    max: config.DATABASE_POOL_MAX,
    idleTimeoutMillis: 60_000,
    query_timeout: DATABASE_LIMITS.read,
    statement_timeout: DATABASE_LIMITS.statement,
    lock_timeout: DATABASE_LIMITS.lock,
  };
}

/** Outside of the pool. */
export async function openConnection(config: AppConfig, applicationName: string, limitMs?: number): Promise<Client> {
  const client = new Client({ ...clientOptions(config, applicationName), query_timeout: limitMs });
  client.on('error', () => undefined); // unhandled, it would end the process
  await client.connect();
  return client;
}
