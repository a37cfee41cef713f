import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as afterPoll, setTimeout as delay } from 'node:timers/promises';

/** For which a connection must have been silent before it is closed without an answer to close it with. */
const SILENCE_MS = 1000;

/**
 * Ends a server's connections so that no request gets lost. A proxy keeps idle connections and may send on one at the
 * moment in which it is closed, and it must not send such a request again. So no connection is closed for being idle,
 * as Node's own `close()` would do, before it was silent for a while: the adapter lets the next answer close it.
 */
export class ConnectionDrain {
  private readonly closed: Promise<void>;

  /** New connections are refused from now on, which a proxy answers by going to another instance. */
  constructor(private readonly server: Server) {
    this.closed = new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  }

  /** Resolves when the last connection is closed, after `limitMs` at the latest: what is unfinished then is cut. */
  async finish(limitMs: number): Promise<void> {
    const limit = new AbortController();
    const { signal } = limit;
    const wait = (milliseconds: number): Promise<void> => delay(milliseconds, undefined, { signal, ref: false });
    const close = async (): Promise<void> => {
      await wait(Math.min(SILENCE_MS, limitMs));
      await afterPoll(); // what has already arrived is read first, and is then no longer idle
      this.server.closeIdleConnections();
      await wait(Math.max(limitMs - SILENCE_MS, 0));
      this.server.closeAllConnections();
    };
    await Promise.race([this.closed, close().catch(() => undefined)]);
    limit.abort();
  }
}
