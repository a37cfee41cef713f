import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as afterPoll, setTimeout as delay } from 'node:timers/promises';
import type { ConnectionTable } from './connection-table.js';

const IDLE_MS = 1000;

/** Then the accept queue counts as empty. */
const DRAIN_QUIET_MS = 10;
const MAX_CHECKS = 25;

/** Closes connections with a response or when idle: what a proxy sends during the close is lost. */
export class ConnectionDrain {
  private closed: Promise<void> | undefined;

  constructor(
    private readonly server: Server,
    private readonly table: ConnectionTable,
  ) {}

  get begun(): boolean {
    return this.closed !== undefined;
  }

  async finish(limitMs: number): Promise<void> {
    await this.acceptQueued();
    this.closed ??= new Promise((resolve) => NetServer.prototype.close.call(this.server, () => resolve()));
    for (const socket of this.table.connections.keys()) socket.resume();
    const limit = new AbortController();
    await Promise.race([this.closed, this.closeBy(limitMs, limit.signal).catch(() => undefined)]);
    limit.abort();
  }

  /** Closing would reset connections in the kernel's queue. */
  private async acceptQueued(): Promise<void> {
    Object.assign(this.server, { pauseOnConnect: true });
    for (const socket of this.table.connections.keys()) socket.pause();
    for (let checks = 0, before = -1; checks < MAX_CHECKS && before !== this.table.accepted; checks++) {
      before = this.table.accepted;
      await delay(DRAIN_QUIET_MS);
      await afterPoll();
    }
  }

  private async closeBy(limitMs: number, signal: AbortSignal): Promise<void> {
    const idleMs = Math.min(IDLE_MS, limitMs);
    await delay(idleMs, undefined, { signal, ref: false });
    await afterPoll(); // reads what has arrived
    this.server.closeIdleConnections();
    for (const socket of this.table.connections.keys()) if (socket.bytesRead === 0) socket.destroy();
    await delay(limitMs - idleMs, undefined, { signal, ref: false });
    this.server.closeAllConnections();
  }
}
