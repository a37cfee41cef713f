import { Connection, type ConnectionConfig, type PoolClient } from 'pg';

const TIMEOUT_MS = 1000;

/** What the types of pg leave out. */
interface CancelTarget {
  readonly ssl: ConnectionConfig['ssl'];
  readonly sslNegotiation: ConnectionConfig['sslnegotiation'];
  readonly processID: number;
  readonly secretKey: number;
}
interface CancelConnection {
  connect(port: number, host: string): void;
  connect(socketPath: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/** Cancels the statement of a connection: while it waits, PostgreSQL does not see that a socket was closed. */
export async function cancelStatement(client: PoolClient): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as PoolClient & CancelTarget;
  const connection = new Connection({ ssl, sslNegotiation } as ConnectionConfig) as Connection & CancelConnection;
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
