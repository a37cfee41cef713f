import pg, {
  Client,
  type Connection,
  DatabaseError,
  type Pool,
  type PoolClient,
  type PoolConfig,
} from 'pg';
import {
  AbstractLogger,
  type AfterQueryEvent,
  type DataSource,
  type EntitySubscriberInterface,
  EventSubscriber,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { migrations } from '../../migrations/index.js';
import type { DatabaseConfig } from '../config/database.config.js';
import { timeLimits } from '../config/time-limits.js';
import { DatabaseTimeout, QUERY_CANCELED, TimedPool } from './timed-pool.js';

/** What the types of pg leave out: connections.e2e-spec shows if a release changes it. */
type CancelKey = Readonly<Record<'processID' | 'secretKey', number>>;
interface CancelConnection {
  startup: () => void;
  cancel(processID: number, secretKey: number): void;
}

/** Returns options of connections, which bound every wait so that RESPONSE_TIMEOUT_MS is kept. */
export function connectionOptions(config: DatabaseConfig): PoolConfig {
  const limits = timeLimits(config);
  return {
    connectionString: config.DATABASE_URL,
    application_name: 'sales-upload',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: limits.connection,
    lock_timeout: limits.lock,
    statement_timeout: limits.statement,
    query_timeout: limits.query,
    max: config.DATABASE_POOL_MAX,
    idleTimeoutMillis: 60_000,
    // An unhandled error would end the process.
    onConnect: (client) => client.on('error', () => undefined),
  };
}

/** TypeORM's own loggers print failed tries of a migration, or parameters where DEBUG is set. */
class Silent extends AbstractLogger {
  protected writeLog(): void {}
}

/** Returns options of TypeORM's data source, whose pool runs all statements but streams. */
export function dataSourceOptions(config: DatabaseConfig, changes?: PoolConfig) {
  return {
    type: 'postgres' as const,
    autoLoadEntities: true, // an option of @nestjs/typeorm
    subscribers: [AbandonedConnections],
    migrations,
    installExtensions: false,
    parseInt8: true,
    logger: new Silent(),
    driver: { ...pg, Pool: TimedPool },
    extra: { ...connectionOptions(config), ...changes },
  };
}

/** Returns the pool whose connections TypeORM's repositories and transactions use. */
export function poolOf({ driver }: DataSource): Pool {
  return (driver as PostgresDriver).master as Pool;
}

/**
 * Codes of errors after which a session is as good as before: of the data, of constraints, of
 * aborted transactions, of locks and disks, and those that a trigger raises.
 */
const SESSION_IS_SOUND = /^(2[23]|25P|40|53|55|P0)/;

/**
 * Closes a connection after an error that lies in its session, or with which it was lost or hangs.
 * A session keeps for its life what it began with, such as a default of the database to be
 * read-only; and as it fails fast it would always be the next free one.
 */
export function abandonAfter(thrown: unknown, client: PoolClient, pool: Pool): void {
  const error = thrown instanceof DatabaseTimeout ? thrown.cause : thrown;
  const { code = '', severity = 'FATAL' } = error instanceof DatabaseError ? error : {};
  const isAlive = severity !== 'FATAL';
  if (isAlive && SESSION_IS_SOUND.test(code)) return;
  void client.end();
  if (isAlive && code !== QUERY_CANCELED) return;
  // A canceled statement may still hold the connection, where another machine does not respond.
  cancelStatement(client, pool);
  // The pool closes an idle connection, which may be lost as well, only when it is taken and given
  // back as broken.
  for (let idle = pool.idleCount; idle > 0; idle--)
    pool.connect((_error, other) => other?.release(true));
}

/** Cancels a statement: waiting for a lock or a standby, PostgreSQL does not see a client leave. */
function cancelStatement(client: PoolClient, { options }: Pool): void {
  const { processID, secretKey } = client as PoolClient & CancelKey;
  const canceler = new Client(options);
  const connection = canceler.connection as Connection & CancelConnection;
  // The first message of the connection, over TLS where that is set, becomes the cancel request.
  connection.startup = () => connection.cancel(processID, secretKey);
  canceler.connect().catch(() => undefined); // PostgreSQL closes it
}

/** Abandons the connections on which statements of TypeORM fail, as it would use them again. */
@EventSubscriber()
class AbandonedConnections implements EntitySubscriberInterface {
  async afterQuery({ error, queryRunner, dataSource }: AfterQueryEvent): Promise<void> {
    if (error === undefined) return;
    // connect() returns the connection on which the statement ran.
    abandonAfter(error, (await queryRunner.connect()) as PoolClient, poolOf(dataSource));
    if (error instanceof DatabaseTimeout) throw error; // without TypeORM's QueryFailedError
  }
}
