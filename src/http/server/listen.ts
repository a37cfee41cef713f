import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export async function listen(server: Server, portSetting: string, port: number, host: string): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE' ? `it is in use by another program: stop that one, or set ${portSetting}` : message;
    throw new Error(`cannot listen on port ${port} of ${host}: ${reason}`);
  }
}

/** Node removes its own `error` listener before `connect`. */
export function guardSockets(server: Server): void {
  server.on('connection', (socket: Socket) => socket.on('error', () => socket.destroy()));
}
