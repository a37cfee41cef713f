import { Logger } from '@nestjs/common';
import { types, type CustomTypesConfig, type PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { DatabaseConfig } from '../config/database.config.js';
import { AbandonedConnections } from './abandoned-connections.js';
import { timeLimits } from './time-limits.js';

const logger = new Logger('Database');

/** Gives 64-bit integers as numbers; one that is not exact as a number fails the statement. */
const VALUE_PARSERS: CustomTypesConfig = {
  getTypeParser: (oid, format): unknown =>
    oid === types.builtins.INT8 ? parseBigint : types.getTypeParser(oid, format),
};

function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${text} is beyond the integers that a number holds exactly`);
  return value;
}

/** Options of one connection whose waits are bounded. */
export function connectionOptions(config: DatabaseConfig) {
  return {
    connectionString: config.DATABASE_URL,
    application_name: 'sales-upload',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: VALUE_PARSERS,
    ...timeLimits(config),
  };
}

/** Returns the settings for connections whose transactions cannot write unless they ask for it. */
export function readOnly<Settings extends DatabaseConfig>(config: Settings): Settings {
  const { DATABASE_URL: url } = config;
  const options = 'options=-c%20default_transaction_read_only%3Don';
  return Object.assign({}, config, {
    DATABASE_URL: `${url}${url.includes('?') ? '&' : '?'}${options}`,
  });
}

/** Options of TypeORM's data source, whose pool runs every statement but those of streams. */
export function dataSourceOptions(
  config: DatabaseConfig,
  changes: PoolConfig = {},
): DataSourceOptions {
  const pool: PoolConfig = {
    ...connectionOptions(config),
    max: config.DATABASE_POOL_MAX,
    idleTimeoutMillis: 60_000,
    // An unhandled error would end the process.
    onConnect: (client) => client.on('error', () => undefined),
    ...changes,
  };
  return {
    type: 'postgres',
    subscribers: [AbandonedConnections],
    migrations,
    migrationsTableName: 'migrations',
    installExtensions: false,
    poolErrorHandler: ({ message }: Error) =>
      logger.warn(`an idle connection was lost: ${message}`),
    extra: pool,
  };
}
