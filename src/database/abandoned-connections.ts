import { Connection, DatabaseError, type ConnectionConfig, type Pool, type PoolClient } from 'pg';
import {
  EventSubscriber,
  type AfterQueryEvent,
  type DataSource,
  type EntitySubscriberInterface,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

const CANCEL_TIMEOUT_MS = 1000;

/** Parts of a client that a cancel request needs, which the types of pg leave out. */
interface CancelTarget {
  readonly ssl: ConnectionConfig['ssl'];
  readonly sslNegotiation: ConnectionConfig['sslnegotiation'];
  readonly processID: number;
  readonly secretKey: number;
}

/** Methods of a connection that the types of pg leave out. */
interface CancelConnection {
  connect(port: number, host: string): void;
  connect(socketPath: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/** Returns the pool whose connections TypeORM's repositories and transactions use. */
export function poolOf({ driver }: DataSource): Pool {
  return (driver as PostgresDriver).master as Pool;
}

/** Says whether PostgreSQL reported the error; otherwise the connection is lost or hangs. */
export function isResponse(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.severity !== 'FATAL';
}

/** Closes a connection that is lost or hangs, and the idle ones, which may be as dead. */
export function abandon(client: PoolClient, pool: Pool): void {
  cancelStatement(client);
  void client.end();
  for (let idle = pool.idleCount; idle > 0; idle--)
    void pool.connect().then(
      (other) => other.release(true),
      () => undefined,
    );
}

/** Cancels a statement: waiting for a lock or a standby, PostgreSQL does not see a client leave. */
function cancelStatement(client: PoolClient): void {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as PoolClient &
    CancelTarget;
  const connection = new Connection({ ssl, sslNegotiation } as ConnectionConfig) as Connection &
    CancelConnection;
  // `end()` would make PgBouncer forget the request.
  const cancel = (): void => connection.cancel(processID, secretKey);
  connection.on('sslconnect', cancel).on('error', () => undefined);
  connection.on('connect', () => {
    if (!ssl) cancel();
    else if (sslNegotiation !== 'direct') connection.requestSsl();
  });
  const timer = setTimeout(() => connection.stream.destroy(), CANCEL_TIMEOUT_MS).unref();
  connection.on('end', () => clearTimeout(timer));
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
}

/** Abandons the connections on which statements of TypeORM fail, as it would use them again. */
@EventSubscriber()
export class AbandonedConnections implements EntitySubscriberInterface {
  async afterQuery({ error, queryRunner, dataSource }: AfterQueryEvent): Promise<void> {
    if (error === undefined || isResponse(error)) return;
    abandon((await queryRunner.connect()) as PoolClient, poolOf(dataSource));
  }
}
