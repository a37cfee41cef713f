import { once } from 'node:events';
import type { Server } from 'node:http';

/** An address, and the setting by which its port can be changed. */
export interface ListenAddress {
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

/** Resolves when the server listens. Throws a line for a person. Not Nest's own way, which logs the failure besides. */
export async function listen(server: Server, { name, port, host }: ListenAddress): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? `it is in use by another program: stop that one, or set ${name}` : message;
    throw new Error(`cannot listen on port ${port} of ${host}: ${reason}`);
  }
}
