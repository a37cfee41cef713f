import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterPoll, setTimeout as delay } from 'node:timers/promises';
import { normalizeIp } from '@nestjs/throttler';
import type { LimitsConfig } from '../../config/limits.config.js';
import type { TrustProxy } from '../../config/trusted-proxies.js';
import type { ServiceError } from '../errors/service-error.js';
import {
  clientErrorOf,
  rejectConnection,
  RequestTimeout,
  type ClientErrorResponse,
} from './client-error.js';
import {
  Connection,
  ConnectionGroup,
  type ConnectionTable,
  type PendingRequest,
  type GroupLimits,
} from './connection.js';

const CHECK_INTERVAL_MS = 500;

/** Share of the open files that connections may take; the rest is for the database and files. */
const MAX_SHARE_OF_FILES = 0.8;

/**
 * Younger connections may have requests in transit. It is counted in checks, since a busy process
 * has not yet read what has arrived.
 */
const MIN_AGE_CHECKS = 3;

/** No new connection for this long means that the accept queue is empty. */
const ACCEPT_QUIET_MS = 30;
const MAX_ACCEPT_CHECKS = 25;

/** Milliseconds until a draining server closes idle connections, which proxies may still use. */
const DRAIN_IDLE_MS = 1000;

/** The connections of a server: limits per client and in total, errors of clients, draining. */
export class Connections implements ConnectionTable {
  checks = 0;
  private readonly connections = new Map<Socket, Connection>();
  private readonly clients = new Map<string, ConnectionGroup>();
  private readonly all: ConnectionGroup;
  private readonly clientLimits: GroupLimits;
  private readonly sendTimeoutMs: number;
  private readonly rejected = new WeakSet<Connection>();
  private server!: Server;
  private accepted = 0;
  private isAcceptingLast = false;
  private isDraining = false;

  constructor(
    config: LimitsConfig,
    private readonly isTrustedProxy: TrustProxy,
    private readonly observe: (response: ClientErrorResponse) => void,
  ) {
    const perClient = config.MAX_CONNECTIONS_PER_CLIENT || Infinity;
    this.sendTimeoutMs = 2 * config.REQUEST_TIMEOUT_MS;
    this.all = new ConnectionGroup({
      connections: Math.min(config.MAX_CONNECTIONS, MAX_SHARE_OF_FILES * openFilesLimit()),
      incomplete: Math.ceil(config.MAX_CONNECTIONS / 10),
    });
    this.clientLimits = { connections: perClient, incomplete: Math.ceil(perClient / 4) };
  }

  attachTo(server: Server): void {
    this.server = server;
    server.on('connection', (socket: Socket) => this.open(socket));
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const connection = this.connections.get(socket);
      if (connection && error.code !== 'ECONNRESET') this.reject(connection, clientErrorOf(error));
      else socket.destroy();
    });
    const interval = Math.min(CHECK_INTERVAL_MS, this.sendTimeoutMs / 4);
    const timer = setInterval(() => this.check(), interval).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Processes a request as soon as the one before it on its connection is answered. */
  receive(pending: PendingRequest): void {
    if (this.isDraining) pending.response.setHeader('Connection', 'close');
    this.connections.get(pending.request.socket)?.receive(pending);
  }

  responseClosed({ socket }: IncomingMessage): void {
    this.connections.get(socket)?.responseClosed();
  }

  rejectIncomplete(connection: Connection): void {
    this.reject(connection, new RequestTimeout(), true);
  }

  /** Closes connections with a response or when idle: a close could lose what a proxy sends. */
  async drain(limitMs: number): Promise<void> {
    await this.acceptQueued();
    this.isDraining = true;
    // The close() of an HTTP server would close idle connections.
    const closed = new Promise<void>((resolve) =>
      NetServer.prototype.close.call(this.server, () => resolve()),
    );
    for (const [socket, { current }] of this.connections) {
      if (current && !current.response.headersSent)
        current.response.setHeader('Connection', 'close');
      socket.resume();
    }
    const limit = new AbortController();
    await Promise.race([closed, this.closeBy(limitMs, limit.signal).catch(() => undefined)]);
    limit.abort();
  }

  private reject(connection: Connection, error: ServiceError, closesAtOnce = false): void {
    if (this.rejected.has(connection)) return;
    this.rejected.add(connection);
    rejectConnection(connection, error, this.observe, closesAtOnce);
  }

  private open(socket: Socket): void {
    if (this.isAcceptingLast) socket.pause();
    // Node removes its own listener before CONNECT and upgrades.
    socket.on('error', () => socket.destroy());
    this.accepted++;
    const address = socket.remoteAddress; // undefined if the peer has disconnected
    const isClient = address !== undefined && !this.isTrustedProxy(address, 0);
    const key = isClient ? normalizeIp(address) : '';
    const client = isClient
      ? (this.clients.get(key) ?? new ConnectionGroup(this.clientLimits))
      : undefined;
    if (address === undefined || !this.makeRoom(client)) {
      socket.resetAndDestroy();
      return;
    }
    if (client) this.clients.set(key, client);
    const connection = new Connection(socket, client ? [client, this.all] : [this.all], this);
    this.connections.set(socket, connection);
    socket.once('close', () => {
      connection.leave();
      this.connections.delete(socket);
      if (client?.isEmpty && this.clients.get(key) === client) this.clients.delete(key);
    });
  }

  /** Makes room for a connection; a client with too many loses its own first. */
  private makeRoom(client?: ConnectionGroup): boolean {
    if (!this.all.isFull) return true;
    return (client?.isFull === true && client.evictOldest()) || this.all.evictOldest();
  }

  private check(): void {
    this.checks++;
    const now = performance.now();
    for (const connection of this.connections.values()) connection.check(now, this.sendTimeoutMs);
    for (const group of [...this.clients.values(), this.all])
      group.trim(this.checks - MIN_AGE_CHECKS);
  }

  /** Accepts what waits in the kernel's queue, which a close of the server would reset. */
  private async acceptQueued(): Promise<void> {
    this.isAcceptingLast = true;
    for (const socket of this.connections.keys()) socket.pause();
    let before = -1;
    for (let count = 0; count < MAX_ACCEPT_CHECKS && before !== this.accepted; count++) {
      before = this.accepted;
      await delay(ACCEPT_QUIET_MS);
      await afterPoll();
    }
  }

  private async closeBy(limitMs: number, signal: AbortSignal): Promise<void> {
    const idleMs = Math.min(DRAIN_IDLE_MS, limitMs);
    await delay(idleMs, undefined, { signal, ref: false });
    await afterPoll(); // until then, Node reads what has arrived
    this.server.closeIdleConnections();
    for (const socket of this.connections.keys()) if (socket.bytesRead === 0) socket.destroy();
    await delay(limitMs - idleMs, undefined, { signal, ref: false });
    this.server.closeAllConnections();
  }
}

/** Reads the limit of open files; where /proc is missing, none is known. */
function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
