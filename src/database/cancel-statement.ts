import { connect } from 'node:net';
import type { PoolClient } from 'pg';

const CANCEL_REQUEST = 80_877_102;
const TIMEOUT_MS = 1000;

/** Cancels the statement of a connection: while it waits, PostgreSQL does not see that a socket was closed. */
export async function cancelStatement(client: PoolClient): Promise<void> {
  const { host, port } = client;
  const { processID, secretKey } = client as PoolClient & { processID: number; secretKey: number };
  const request = Buffer.alloc(16);
  [request.length, CANCEL_REQUEST, processID, secretKey].forEach((word, index) =>
    request.writeInt32BE(word, index * 4),
  );
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  await new Promise((resolve) => {
    socket.on('error', () => undefined).on('close', resolve);
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy()).resume();
    socket.write(request); // not end(): PgBouncer forgets the request of a closed connection
  });
}
