import { Logger } from '@nestjs/common';
import { Client, types, type CustomTypesConfig, type PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { AppConfig } from '../config/app-config.js';
import { GuardedPool } from './guarded-pool.js';

const logger = new Logger('Database');

/** Milliseconds. A statement and a connection together stay below the limit of a response. */
export function databaseLimits({ RESPONSE_TIMEOUT_MS: total }: Pick<AppConfig, 'RESPONSE_TIMEOUT_MS'>) {
  return {
    connect: Math.round(0.3 * total),
    lock: Math.round(0.3 * total),
    statement: Math.round(0.5 * total),
    read: Math.round(0.6 * total), // a frozen PostgreSQL applies no limits
    start: Math.round(0.4 * total), // a statement that starts later could end too late
  };
}

function clientOptions(config: AppConfig, applicationName: string, url = config.DATABASE_URL): PoolConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: databaseLimits(config).connect,
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

/** Gives integers of 64 bits as numbers, like all others; one that a number cannot hold exactly fails the statement. */
const VALUE_PARSERS: CustomTypesConfig = {
  getTypeParser: (oid, format): unknown =>
    oid === types.builtins.INT8 ? parseBigint : types.getTypeParser(oid, format),
};

function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond the integers that a number holds exactly`);
  return value;
}

/** Connections with time limits. */
export function poolOptions(config: AppConfig, url?: string): PoolConfig {
  const { read, statement, lock } = databaseLimits(config);
  return {
    ...clientOptions(config, 'sales-upload', url),
    types: VALUE_PARSERS,
    max: config.DATABASE_POOL_MAX,
    idleTimeoutMillis: 60_000,
    query_timeout: read,
    statement_timeout: statement,
    lock_timeout: lock,
  };
}

/** Outside of the pool. */
export async function openConnection(config: AppConfig, applicationName: string, limitMs?: number): Promise<Client> {
  const client = new Client({ ...clientOptions(config, applicationName), query_timeout: limitMs });
  client.on('error', () => undefined); // unhandled, it would end the process
  await client.connect();
  return client;
}
