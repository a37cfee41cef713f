import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { normalizeIp } from '@nestjs/throttler';
import type { DatabaseConfig } from '../../config/database.config.js';
import type { LimitsConfig } from '../../config/limits.config.js';
import type { TrustProxy } from '../../config/trusted-proxies.js';
import { discard } from '../body/discard.js';
import {
  BodyCutShort,
  HeadersTooLarge,
  InvalidHttp,
  RequestTimeout,
} from '../errors/http.errors.js';
import type { ServiceError } from '../errors/service-error.js';
import { Connection } from './connection.js';

const CHECK_INTERVAL_MS = 250;

/** Milliseconds that a connection stays open for what may still be in transit. */
const TRANSIT_MS = 1000;

/** So many turns of the event loop without a new connection mean that none waits to be accepted. */
const QUIET_TURNS = 200;
/** Milliseconds in which a server that closes accepts connections, if new ones keep coming. */
const LAST_ACCEPT_MS = 1000;

/** The error for each code of Node's `clientError` event that its documentation lists. */
const CLIENT_ERRORS: Readonly<Record<string, new () => ServiceError>> = {
  HPE_HEADER_OVERFLOW: HeadersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: RequestTimeout,
};

/** Limits a server's connections, per client and in total, answers malformed requests, drains. */
export class Connections {
  private readonly connections = new Map<Socket, Connection>();
  private readonly all = new Set<Connection>();
  private readonly clients = new Map<string, Set<Connection>>();
  private server!: Server;

  constructor(
    private readonly config: LimitsConfig & Pick<DatabaseConfig, 'RESPONSE_TIMEOUT_MS'>,
    private readonly isTrustedProxy: TrustProxy,
    private readonly respond: (error: ServiceError, to: ServerResponse | Socket) => void,
    private readonly respondLate: (response: ServerResponse) => void,
  ) {}

  attachTo(server: Server): void {
    this.server = server;
    server.on('connection', (socket: Socket) => this.open(socket));
    server.on('clientError', ({ code, message }: NodeJS.ErrnoException, socket: Socket) => {
      const KnownError = socket.readableEnded ? BodyCutShort : CLIENT_ERRORS[code ?? ''];
      this.reject(socket, KnownError ? new KnownError() : new InvalidHttp(message));
    });
    server.setTimeout(this.config.REQUEST_TIMEOUT_MS, (socket: Socket) => {
      // A handler in work may be silent, and a request that does not arrive gets 408.
      const isIdle = this.connections.get(socket)?.state === 'idle';
      if (isIdle || socket.writableLength > 0) closeIdle(socket);
    });
    // Node has stopped reading: what follows a request in work is not parsed (tracked-response.ts).
    server.on('upgrade', (_request, socket: Socket) => {
      const connection = this.connections.get(socket);
      connection?.closeAfterResponse();
      // Node has removed its own listeners.
      socket.on('drain', () => connection?.current?.emit('drain'));
      socket.on('timeout', () => server.emit('timeout', socket));
    });
    // The check waits for a turn of the loop, in which a busy process reads what has arrived.
    const timer = setInterval(() => setImmediate(() => this.check()), CHECK_INTERVAL_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Says whether another request of the connection is in work. */
  isEarly(request: IncomingMessage): boolean {
    const current = this.connections.get(request.socket)?.current;
    return current !== undefined && current.req !== request;
  }

  /** Begins work on a request; returns false if its connection was closed before. */
  begin(response: ServerResponse): boolean {
    return this.connections.get(response.req.socket)?.begin(response) ?? false;
  }

  /** Ends events; closes each connection after its next response, or after TRANSIT_MS without. */
  async drain(limitMs: number): Promise<void> {
    const accepted = await this.acceptWaiting();
    const closed = once(this.server, 'close');
    // At once, as the kernel resets what it sets up in between. The close() of an HTTP server would
    // close idle connections, and lose what a proxy is sending.
    NetServer.prototype.close.call(this.server);
    for (const connection of this.connections.values()) {
      connection.closeAfterResponse();
      connection.endEvents();
    }
    for (const socket of accepted) socket.resume();
    const idleMs = Math.min(TRANSIT_MS, limitMs);
    await Promise.race([closed, delay(idleMs, undefined, { ref: false })]);
    await nextTurn(); // until then, Node reads what has arrived
    for (const connection of this.connections.values()) {
      if (connection.isSilent) connection.socket.destroy();
      else connection.endEvents(); // those that have begun meanwhile
    }
    await Promise.race([closed, delay(limitMs - idleMs, undefined, { ref: false })]);
    for (const socket of this.connections.keys()) socket.destroy();
    await closed;
  }

  /**
   * Accepts the connections that the kernel has set up, as it would reset them when the server
   * closes; in each turn of the event loop Node accepts one. They are not read yet: clients that
   * wait for a response open no further ones.
   */
  private async acceptWaiting(): Promise<Socket[]> {
    const accepted: Socket[] = [];
    const accept = (socket: Socket): void => {
      accepted.push(socket);
      process.nextTick(() => socket.pause()); // once Node has begun to read it
    };
    this.server.on('connection', accept);
    const end = performance.now() + LAST_ACCEPT_MS;
    for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < end; quiet++) {
      const before = accepted.length;
      await nextTurn();
      if (accepted.length > before) quiet = 0;
    }
    this.server.off('connection', accept);
    return accepted;
  }

  private open(socket: Socket): void {
    // Node removes its own listener before CONNECT and what it takes for an upgrade.
    socket.on('error', () => socket.destroy());
    const address = socket.remoteAddress; // undefined if the peer has disconnected
    if (address === undefined || !this.makeRoom(this.clientAt(address))) {
      socket.resetAndDestroy();
      return;
    }
    const connection = new Connection(socket, [this.clientAt(address), this.all]);
    this.connections.set(socket, connection);
    socket.once('close', () => {
      connection.leave();
      this.connections.delete(socket);
    });
  }

  /** Returns the connections from the network of an address; those of a proxy are not limited. */
  private clientAt(address: string): Set<Connection> {
    if (this.isTrustedProxy(address, 0) || this.config.MAX_CONNECTIONS_PER_CLIENT === 0)
      return new Set();
    const network = normalizeIp(address);
    const client = this.clients.get(network) ?? new Set();
    this.clients.set(network, client);
    return client;
  }

  /** Makes room for a connection by closing one: of the client if it has too many, else of any. */
  private makeRoom(client: ReadonlySet<Connection>): boolean {
    const { MAX_CONNECTIONS: max, MAX_CONNECTIONS_PER_CLIENT: maxOfClient } = this.config;
    if (this.all.size < max) return true;
    const groups = client.size < maxOfClient ? [this.all] : [client, this.all];
    for (const group of groups)
      for (const state of ['incomplete', 'idle'])
        for (const connection of group)
          if (connection.state === state && this.close(connection)) return true;
    return false;
  }

  private check(): void {
    // A request is found to be in work, and then to be late, by one check each.
    const limitMs = this.config.RESPONSE_TIMEOUT_MS - 2 * CHECK_INTERVAL_MS;
    const lateBefore = performance.now() - limitMs;
    for (const connection of this.all) {
      connection.update();
      const { state, since, current } = connection;
      if (state === 'working' && since < lateBefore && !current!.headersSent)
        this.respondLate(current!);
    }
    this.trim(this.all, this.config.MAX_CONNECTIONS, 1 / 10);
    for (const [network, client] of this.clients) {
      this.trim(client, this.config.MAX_CONNECTIONS_PER_CLIENT, 1 / 4);
      if (client.size === 0) this.clients.delete(network);
    }
  }

  /** Closes the oldest connections beyond `max`, and the oldest incomplete ones beyond a share. */
  private trim(group: ReadonlySet<Connection>, max: number, incompleteShare: number): void {
    const before = performance.now() - TRANSIT_MS;
    const old = [...group].filter(({ since }) => since < before);
    const incomplete = old.filter(({ state }) => state === 'incomplete');
    const surplus = incomplete.length - Math.ceil(max * incompleteShare);
    for (const connection of incomplete.slice(0, Math.max(0, surplus))) this.close(connection);
    for (const connection of old) if (group.size > max) this.close(connection);
  }

  /** Closes a connection; returns false if a whole request has arrived. */
  private close(connection: Connection): boolean {
    connection.update();
    const { state, socket } = connection;
    if (state === 'working' || state === 'closed') return false;
    connection.leave();
    if (state === 'incomplete') this.reject(socket, new RequestTimeout(), 0);
    else closeIdle(socket);
    return true;
  }

  /** Responds to a request that is malformed or late, unless another is in work, and closes. */
  private reject(socket: Socket, error: ServiceError, delayMs = TRANSIT_MS): void {
    const connection = this.connections.get(socket);
    if (!connection || connection.isRejected || !socket.writable) return;
    const { current } = connection;
    if (current?.req.complete) {
      connection.closeAfterResponse();
      return;
    }
    connection.isRejected = true;
    if (!current) discard(socket);
    if (!current?.headersSent) this.respond(error, current ?? socket);
    setImmediate(() => {
      socket.end(); // the response was written in this turn of the event loop, before
      setTimeout(() => socket.destroy(), delayMs).unref();
    });
  }
}

function closeIdle(socket: Socket): void {
  if (socket.writableLength > 0)
    socket.resetAndDestroy(); // frees the kernel's buffers
  else socket.destroy();
}
