import { Logger } from '@nestjs/common';
import { Client, types, type CustomTypesConfig, type PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { DatabaseConfig } from '../config/database.config.js';
import { TimedOutConnections } from './cancel-statement.js';

const logger = new Logger('Database');

/** Divides the time of a response, in milliseconds: a connection and a statement together stay below it. */
export function databaseLimits({
  RESPONSE_TIMEOUT_MS: total,
}: Pick<DatabaseConfig, 'RESPONSE_TIMEOUT_MS'>) {
  return {
    connect: Math.round(0.3 * total),
    lock: Math.round(0.3 * total),
    statement: Math.round(0.5 * total),
    read: Math.round(0.6 * total), // a frozen PostgreSQL applies no limits
  };
}

/** Divides the connections of a process: TypeORM has a pool of its own. */
export function poolSizes({ DATABASE_POOL_MAX: total }: DatabaseConfig) {
  const typeorm = Math.ceil(total / 4);
  return { statements: total - typeorm, typeorm };
}

/** Gives integers of 64 bits as numbers, like all others; one that a number cannot hold exactly fails the statement. */
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

function clientOptions(config: DatabaseConfig, applicationName: string): PoolConfig {
  return {
    connectionString: config.DATABASE_URL,
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: databaseLimits(config).connect,
  };
}

/** The same settings for connections whose transactions cannot write unless they ask for it. */
export function readOnly<Settings extends DatabaseConfig>(config: Settings): Settings {
  const { DATABASE_URL: url } = config;
  const options = 'options=-c%20default_transaction_read_only%3Don';
  return Object.assign({}, config, {
    DATABASE_URL: `${url}${url.includes('?') ? '&' : '?'}${options}`,
  });
}

/** Options of a pool whose connections have time limits. */
export function poolOptions(config: DatabaseConfig): PoolConfig {
  const { read, statement, lock } = databaseLimits(config);
  return {
    ...clientOptions(config, 'sales-upload'),
    types: VALUE_PARSERS,
    idleTimeoutMillis: 60_000,
    query_timeout: read,
    statement_timeout: statement,
    lock_timeout: lock,
  };
}

export function dataSourceOptions(
  config: DatabaseConfig,
  changes: PoolConfig = {},
): DataSourceOptions {
  return {
    type: 'postgres',
    subscribers: [TimedOutConnections],
    migrations,
    migrationsTableName: 'migrations',
    installExtensions: false,
    poolErrorHandler: ({ message }: Error) =>
      logger.warn(`an idle connection was lost: ${message}`),
    extra: { ...poolOptions(config), max: poolSizes(config).typeorm, ...changes },
  };
}

/** Opens a connection outside of the pools. */
export async function openConnection(
  config: DatabaseConfig,
  applicationName: string,
  limitMs?: number,
): Promise<Client> {
  const client = new Client({ ...clientOptions(config, applicationName), query_timeout: limitMs });
  client.on('error', () => undefined); // unhandled, it would end the process
  await client.connect();
  return client;
}
