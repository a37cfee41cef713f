import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionGroup, ConnectionState, GroupMember } from './connection-group.js';
import type { TrackedResponse } from './tracked-response.js';

/** Beyond this the connection is closed. */
const MAX_PIPELINED = 16;

/** As long as the Retry-After of `Overloaded`. */
const OVERLOAD_PAUSE_MS = 1000;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: TrackedResponse;
  readonly process: (request: IncomingMessage, response: TrackedResponse) => void;
}

/** Processes the requests of a connection one after the other. */
export class Connection implements GroupMember {
  since: number;
  private state: ConnectionState = 'incomplete';
  private current: Exchange | undefined;
  private readonly waiting: Exchange[] = [];
  private hasPipelined = false;
  private isOpen = true;
  private pauseMs = 0;
  private receivedWhenIdle = 0;
  private sentAtCheck = 0;
  private progressAt = 0;

  constructor(
    private readonly socket: Socket,
    private readonly groups: readonly ConnectionGroup[],
    private readonly table: { readonly checks: number; rejectIncomplete(socket: Socket): void },
  ) {
    this.since = table.checks;
    for (const group of groups) group.join(this);
  }

  receive(exchange: Exchange): void {
    if (!this.current) {
      this.start(exchange);
      return;
    }
    this.hasPipelined = true;
    if (this.waiting.push(exchange) >= MAX_PIPELINED) this.stopParser(exchange.response);
    this.socket.pause();
  }

  // see docs/performance.md#overload-pause
  pauseAfterResponse(): void {
    this.pauseMs = OVERLOAD_PAUSE_MS;
  }

  responseClosed(): void {
    this.current = undefined;
    if (!this.isOpen || this.socket.destroyed) return;
    const next = this.waiting.shift();
    if (this.pauseMs > 0) this.pause();
    else if (this.hasPipelined) this.socket[this.waiting.length > 0 ? 'pause' : 'resume']();
    if (next) this.start(next);
    else {
      this.receivedWhenIdle = this.socket.bytesRead;
      this.moveTo('idle');
    }
  }

  evict(): boolean {
    if (this.current?.request.complete && !this.current.response.writableEnded) {
      this.moveTo('working');
      return false;
    }
    const isIncomplete = this.state === 'incomplete';
    this.leave();
    if (isIncomplete) this.table.rejectIncomplete(this.socket);
    else this.close();
    return true;
  }

  leave(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.waiting.length = 0;
    for (const group of this.groups) group.leave(this, this.state);
  }

  /** No event reports unread responses or the beginning of a request. */
  check(now: number, sendTimeoutMs: number): void {
    const { socket } = this;
    const sent = socket.bytesWritten - socket.writableLength;
    // the kernel's buffers may hold pipelined responses
    const mayBeUnread = socket.writableLength > 0 || (this.hasPipelined && !this.current);
    if (!mayBeUnread || sent !== this.sentAtCheck) this.progressAt = now;
    this.sentAtCheck = sent;
    if (now - this.progressAt >= sendTimeoutMs) socket.resetAndDestroy();
    else if (socket.writableLength > 0 && this.current?.response.writableEnded) this.moveTo('idle');
    else if (this.state === 'idle' && !this.current && socket.bytesRead !== this.receivedWhenIdle)
      this.moveTo('incomplete');
  }

  private start(exchange: Exchange): void {
    const { request, response, process } = exchange;
    this.current = exchange;
    this.moveTo('working');
    // A body in the same chunk is complete after this call.
    queueMicrotask(() => {
      if (request.complete || this.current !== exchange) return;
      this.moveTo('incomplete');
      request.once('close', () => this.current === exchange && this.moveTo('working'));
    });
    process(request, response);
  }

  private moveTo(state: ConnectionState): void {
    if (!this.isOpen || state === this.state) return;
    for (const group of this.groups) group.move(this, this.state, state);
    this.state = state;
    this.since = this.table.checks;
  }

  /** A reset frees the kernel's buffers. */
  private close(): void {
    if (this.hasPipelined || this.socket.writableLength > 0) this.socket.resetAndDestroy();
    else this.socket.destroy();
  }

  private pause(): void {
    this.socket.pause();
    setTimeout(() => this.socket.resume(), this.pauseMs).unref();
    this.pauseMs = 0;
  }

  /** The parser would emit the chunk's further requests; the return value for upgrades drops them. */
  private stopParser(last: TrackedResponse): void {
    last.shouldKeepAlive = false;
    const { parser } = this.socket as Socket & { parser?: { onIncoming: () => number } | null };
    if (parser) parser.onIncoming = () => 2;
  }
}
