import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionGroup, ConnectionState, GroupMember } from './connection-group.js';

export interface Exchange {
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

/** Processes the requests of a connection one after the other, and knows whether it may be closed. */
export class Connection implements GroupMember {
  since: number;
  current: Exchange | undefined;
  private next: Exchange | undefined;
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

  /** Lets one request wait for the response before it; after that one's response the connection is closed. */
  receive(exchange: Exchange): void {
    if (!this.current) {
      this.start(exchange);
    } else if (!this.next) {
      this.next = exchange;
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

  private start(exchange: Exchange): void {
    const { request } = exchange;
    this.current = exchange;
    this.moveTo('working');
    // A body in the same chunk is complete after this call.
    queueMicrotask(() => {
      if (request.complete || this.current !== exchange) return;
      this.moveTo('incomplete');
      request.once('close', () => this.current === exchange && this.moveTo('working'));
    });
    exchange.start();
  }

  private moveTo(state: ConnectionState): void {
    if (!this.isOpen || state === this.state) return;
    for (const group of this.groups) group.move(this, state);
    this.state = state;
    this.since = this.table.checks;
  }
}
