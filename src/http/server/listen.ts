import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** `name` is the setting of the port. */
export interface ListenAddress {
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

export async function listen(server: Server, { name, port, host }: ListenAddress): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? `it is in use by another program: stop that one, or set ${name}` : message;
    throw new Error(`cannot listen on port ${port} of ${host}: ${reason}`);
  }
}

/** Node removes its own `error` listener before `connect`. */
export function guardSockets(server: Server): void {
  server.on('connection', (socket: Socket) => socket.on('error', () => socket.destroy()));
}
