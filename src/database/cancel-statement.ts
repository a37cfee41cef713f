import { Connection, DatabaseError, type ConnectionConfig, type PoolClient } from 'pg';
import {
  EventSubscriber,
  type AfterQueryEvent,
  type DataSource,
  type EntitySubscriberInterface,
} from 'typeorm';

const TIMEOUT_MS = 1000;

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

/**
 * Cancels the statement that a client gave up.
 *
 * While PostgreSQL waits for a lock or a standby it does not see that the client is gone, and keeps the connection.
 */
export async function cancelStatement(client: PoolClient): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as PoolClient &
    CancelTarget;
  const connection = new Connection({ ssl, sslNegotiation } as ConnectionConfig) as Connection &
    CancelConnection;
  const cancel = (): void => connection.cancel(processID, secretKey); // no end(): PgBouncer would forget the request
  connection.on('sslconnect', cancel).on('error', () => undefined);
  connection.on('connect', () => {
    if (!ssl) cancel();
    else if (sslNegotiation !== 'direct') connection.requestSsl();
  });
  const { stream } = connection;
  const timer = setTimeout(() => stream.destroy(), TIMEOUT_MS);
  await new Promise((resolve) => {
    connection.on('end', resolve);
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
  clearTimeout(timer);
}

/** Closes the connections on which statements of TypeORM time out, as it would use them again. */
@EventSubscriber()
export class TimedOutConnections implements EntitySubscriberInterface {
  private isClosingOthers = false;

  async afterQuery({ error, queryRunner, dataSource }: AfterQueryEvent): Promise<void> {
    if (error === undefined || error instanceof DatabaseError) return;
    const client = (await queryRunner.connect()) as PoolClient;
    await cancelStatement(client);
    void client.end();
    if (this.isClosingOthers) return;
    this.isClosingOthers = true;
    const { max } = dataSource.options.extra as { readonly max: number };
    const others = Array.from({ length: max - 1 }, () => closeConnection(dataSource));
    void Promise.allSettled(others).then(() => (this.isClosingOthers = false));
  }
}

/** Where one connection does not respond, the others may be as dead: takes one of the pool out of it. */
async function closeConnection(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as PoolClient;
  void client.end();
  await runner.release();
}
