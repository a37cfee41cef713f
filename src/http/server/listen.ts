import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** `name` is the setting of the port. */
export interface ListenAddress {
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

/** Resolves when the server listens. */
export async function listen(server: Server, { name, port, host }: ListenAddress): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? `it is in use by another program: stop that one, or set ${name}` : message;
    throw new Error(`cannot listen on port ${port} of ${host}: ${reason}`);
  }
}

/** Gives every connection an `error` listener that stays: Node removes its own one before `connect`. */
export function guardSockets(server: Server): void {
  server.on('connection', (socket: Socket) => socket.on('error', () => socket.destroy()));
}
