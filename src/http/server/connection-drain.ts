import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterPoll, setTimeout as delay } from 'node:timers/promises';

/** For which a connection must have been silent before it is closed without an answer to close it with. */
const SILENCE_MS = 1000;

/** Nobody came for so long: nobody is waiting to be let in. As often as that is looked for. */
const QUIET_MS = 10;
const MAX_TRIES = 25;

/**
 * Ends a server's connections so that no request gets lost. A proxy keeps idle connections and may send on one at the
 * moment in which it is closed, and it must not send such a request again. So no connection is closed for being idle,
 * as Node's own `close()` would do, before it was silent for a while: the adapter lets the next answer close it.
 */
export class ConnectionDrain {
  private readonly sockets = new Set<Socket>();
  private taken = 0;
  private closed: Promise<void> | undefined;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.taken++;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  get begun(): boolean {
    return this.closed !== undefined;
  }

  /**
   * New connections are refused from now on, which a proxy answers by going to another instance. Resolves when the last
   * connection is closed, at the latest after `limitMs` and a quarter of a second: what is unfinished then is cut.
   */
  async finish(limitMs: number): Promise<void> {
    await this.takeThoseWaiting();
    this.closed ??= new Promise((resolve) => NetServer.prototype.close.call(this.server, () => resolve()));
    for (const socket of this.sockets) socket.resume();
    const limit = new AbortController();
    await Promise.race([this.closed, this.closeBy(limitMs, limit.signal).catch(() => undefined)]);
    limit.abort();
  }

  /**
   * The system has set up connections that we have not heard of yet, and to close now would reset them. So they are
   * taken in, and nothing is read meanwhile: answers would bring new ones, and time to come.
   */
  private async takeThoseWaiting(): Promise<void> {
    Object.assign(this.server, { pauseOnConnect: true }); // net's own option, which http does not pass on
    for (const socket of this.sockets) socket.pause();
    for (let tries = 0, before = -1; tries < MAX_TRIES && before !== this.taken; tries++) {
      before = this.taken;
      await delay(QUIET_MS);
      await afterPoll();
    }
  }

  private async closeBy(limitMs: number, signal: AbortSignal): Promise<void> {
    const silence = Math.min(SILENCE_MS, limitMs);
    await delay(silence, undefined, { signal, ref: false });
    await afterPoll(); // what has already arrived is read first, and is then no longer idle
    this.server.closeIdleConnections();
    // For Node, a connection on which nothing has ever come is not idle.
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
    await delay(limitMs - silence, undefined, { signal, ref: false });
    this.server.closeAllConnections();
  }
}
