import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** An address, and the setting of its port. */
export interface ListenAddress {
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

/** Resolves when the server listens. Throws an error whose message names the setting to change. */
export async function listen(server: Server, { name, port, host }: ListenAddress): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? `it is in use by another program: stop that one, or set ${name}` : message;
    throw new Error(`cannot listen on port ${port} of ${host}: ${reason}`);
  }
}

/**
 * Gives every connection of a server an `error` listener for its whole life. Node removes its own one before `connect`
 * and after the first error of the parser; a reset would then end the process.
 */
export function guardSockets(server: Server): void {
  server.on('connection', (socket: Socket) => socket.on('error', () => socket.destroy()));
}
