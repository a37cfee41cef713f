import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * `incomplete`: a new connection, or a request that is still arriving. `idle`: between requests, or
 * with a response that is not read.
 * `working`: a whole request has arrived and is not answered.
 */
type ConnectionState = 'incomplete' | 'idle' | 'working';

export interface PendingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Begins to process the request. */
  readonly start: () => void;
}

/** What a connection needs of the table that it stands in. */
export interface ConnectionTable {
  /** Number of checks so far. */
  readonly checks: number;
  rejectIncomplete(connection: Connection): void;
}

/** Processes the requests of a connection one by one, and knows whether it may be closed. */
export class Connection {
  /** The number of the check after which the state changed. */
  since: number;
  current: PendingRequest | undefined;
  private next: PendingRequest | undefined;
  private state: ConnectionState = 'incomplete';
  private isOpen = true;
  private bytesReadWhenIdle = 0;
  private bytesSentAtCheck = 0;
  private progressAt = 0;

  constructor(
    readonly socket: Socket,
    private readonly groups: readonly ConnectionGroup[],
    private readonly table: ConnectionTable,
  ) {
    this.since = table.checks;
    for (const group of groups) group.join(this);
  }

  /** Lets one request wait for the response before it; after its own the connection is closed. */
  receive(pending: PendingRequest): void {
    if (!this.current) {
      this.start(pending);
    } else if (!this.next) {
      this.next = pending;
      this.socket.pause();
    } else if (!this.next.response.headersSent) {
      this.next.response.setHeader('Connection', 'close');
    }
  }

  responseClosed(): void {
    const { next, socket } = this;
    this.current = this.next = undefined;
    if (!this.isOpen || socket.destroyed) return;
    if (next) {
      socket.resume();
      this.start(next);
    } else {
      this.bytesReadWhenIdle = socket.bytesRead;
      this.moveTo('idle');
    }
  }

  /** Closes the connection; returns false if a complete request has arrived. */
  evict(): boolean {
    if (this.current?.request.complete && !this.current.response.writableEnded) {
      this.moveTo('working');
      return false;
    }
    const { state } = this;
    this.leave();
    if (state === 'incomplete') this.table.rejectIncomplete(this);
    else if (this.socket.writableLength > 0)
      this.socket.resetAndDestroy(); // frees the kernel's buffers
    else this.socket.destroy();
    return true;
  }

  leave(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.next = undefined;
    for (const group of this.groups) group.leave(this);
  }

  /** Notices what no event reports: a response that is not read, and the beginning of a request. */
  check(now: number, sendTimeoutMs: number): void {
    const { socket, current } = this;
    const isUnread = socket.writableLength > 0;
    const bytesSent = socket.bytesWritten - socket.writableLength;
    if (!isUnread || bytesSent !== this.bytesSentAtCheck) this.progressAt = now;
    this.bytesSentAtCheck = bytesSent;
    if (now - this.progressAt >= sendTimeoutMs) socket.resetAndDestroy();
    else if (isUnread && current?.response.writableEnded) this.moveTo('idle');
    else if (this.state === 'idle' && !current && socket.bytesRead !== this.bytesReadWhenIdle)
      this.moveTo('incomplete');
  }

  private start(pending: PendingRequest): void {
    const { request } = pending;
    this.current = pending;
    this.moveTo('working');
    // A body in the same chunk is complete after this call.
    queueMicrotask(() => {
      if (request.complete || this.current !== pending) return;
      this.moveTo('incomplete');
      request.once('close', () => this.current === pending && this.moveTo('working'));
    });
    pending.start();
  }

  private moveTo(state: ConnectionState): void {
    if (!this.isOpen || state === this.state) return;
    for (const group of this.groups) group.move(this, state);
    this.state = state;
    this.since = this.table.checks;
  }
}

export interface GroupLimits {
  readonly connections: number;
  readonly incomplete: number;
}

/** The connections of one client, or of all, and what can be closed among them, oldest first. */
export class ConnectionGroup {
  private size = 0;
  private readonly incomplete = new Set<Connection>();
  private readonly idle = new Set<Connection>();

  constructor(private readonly limits: GroupLimits) {}

  get isEmpty(): boolean {
    return this.size === 0;
  }

  get isFull(): boolean {
    return this.size >= this.limits.connections;
  }

  join(member: Connection): void {
    this.size++;
    this.incomplete.add(member);
  }

  leave(member: Connection): void {
    this.size--;
    this.incomplete.delete(member);
    this.idle.delete(member);
  }

  move(member: Connection, to: ConnectionState): void {
    this.incomplete.delete(member);
    this.idle.delete(member);
    if (to !== 'working') this[to].add(member);
  }

  /** Closes what is over the limits, except connections whose state changed after that check. */
  trim(lastCheck: number): void {
    let wasEvicted = true;
    while (wasEvicted && this.incomplete.size > this.limits.incomplete)
      wasEvicted = evictFirst(this.incomplete, lastCheck);
    wasEvicted = true;
    while (wasEvicted && this.size > this.limits.connections)
      wasEvicted = this.evictOldest(lastCheck);
  }

  evictOldest(lastCheck = Infinity): boolean {
    return evictFirst(this.incomplete, lastCheck) || evictFirst(this.idle, lastCheck);
  }
}

function evictFirst(members: Set<Connection>, lastCheck: number): boolean {
  for (const member of members) {
    if (member.since > lastCheck) return false;
    if (member.evict()) return true;
  }
  return false;
}
