import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A free TCP port, outside of the ranges from which the system and embedded databases take theirs meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 20_000);
    const server = createServer();
    const listening = once(server.listen(port, '127.0.0.1'), 'listening');
    if (!(await listening.catch(() => undefined))) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
