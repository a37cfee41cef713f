import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { normalizeIp } from '@nestjs/throttler';
import type { AppConfig } from '../../config/app-config.js';
import type { TrustProxy } from '../../config/trusted-proxies.js';
import { Connection } from './connection.js';
import { ConnectionGroup, type GroupLimits } from './connection-group.js';

const CHECK_INTERVAL_MS = 500;

/** The rest is left to the database and to files. */
const MAX_SHARE_OF_FILES = 0.8;

/** Younger connections may have requests in transit. Checks, as a busy process has not read yet what has arrived. */
const MIN_AGE_CHECKS = 3;

/** Enforces the connection limits, per client and in total. */
export class ConnectionTable {
  readonly connections = new Map<Socket, Connection>();
  private readonly clients = new Map<string, ConnectionGroup>();
  private readonly all: ConnectionGroup;
  private readonly clientLimits: GroupLimits;
  /** How many there have been. */
  checks = 0;
  /** Sockets so far, rejected ones included. */
  accepted = 0;

  constructor(
    private readonly config: AppConfig,
    private readonly isTrustedProxy: TrustProxy,
    readonly rejectIncomplete: (socket: Socket) => void,
  ) {
    this.all = new ConnectionGroup({
      connections: Math.min(config.MAX_CONNECTIONS, MAX_SHARE_OF_FILES * openFilesLimit()),
      incomplete: config.MAX_INCOMPLETE_REQUESTS,
    });
    this.clientLimits = {
      connections: config.MAX_CONNECTIONS_PER_CLIENT || Infinity,
      incomplete: config.MAX_INCOMPLETE_REQUESTS_PER_CLIENT || Infinity,
    };
  }

  attachTo(server: Server): void {
    server.on('connection', (socket: Socket) => this.open(socket));
    const interval = Math.min(CHECK_INTERVAL_MS, this.config.SEND_TIMEOUT_MS / 4);
    const timer = setInterval(() => this.check(), interval).unref();
    server.once('close', () => clearInterval(timer));
  }

  of({ socket }: IncomingMessage): Connection | undefined {
    return this.connections.get(socket);
  }

  private open(socket: Socket): void {
    this.accepted += 1;
    const address = socket.remoteAddress; // cached by Node
    const key = address === undefined || this.isTrustedProxy(address, 0) ? undefined : normalizeIp(address);
    const client = key === undefined ? undefined : (this.clients.get(key) ?? new ConnectionGroup(this.clientLimits));
    if (address === undefined || !this.makeRoom(client)) {
      socket.resetAndDestroy();
      return;
    }
    if (key !== undefined && client) this.clients.set(key, client);
    const connection = new Connection(socket, client ? [client, this.all] : [this.all], this);
    this.connections.set(socket, connection);
    socket.once('close', () => {
      connection.leave();
      this.connections.delete(socket);
      if (key !== undefined && client?.isEmpty && this.clients.get(key) === client) this.clients.delete(key);
    });
  }

  /** A client with too many connections loses its own first. */
  private makeRoom(client?: ConnectionGroup): boolean {
    if (!this.all.isFull) return true;
    return (client?.isFull === true && client.evictOldest()) || this.all.evictOldest();
  }

  private check(): void {
    this.checks += 1;
    const now = performance.now();
    for (const connection of this.connections.values()) connection.check(now, this.config.SEND_TIMEOUT_MS);
    for (const group of [...this.clients.values(), this.all]) group.trim(this.checks - MIN_AGE_CHECKS);
  }
}

/** Without /proc: none is known. */
function openFilesLimit(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
