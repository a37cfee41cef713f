import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type OpenState = 'incomplete' | 'idle' | 'working';

/**
 * Works on one request of a connection at a time, and knows whether the connection may be closed.
 *
 * | state        | meaning                               | what ends it                                |
 * | ------------ | ------------------------------------- | ------------------------------------------- |
 * | `incomplete` | it is new, or a part of a request has | the request is whole: `working`             |
 * |              | arrived                               | it is late or malformed: `closed`           |
 * | `working`    | a whole request has arrived and is    | the response is written: `idle`             |
 * |              | not answered; it is never closed to   |                                             |
 * |              | make room                             |                                             |
 * | `idle`       | it is between requests, or the client | bytes of a request arrive: `incomplete`     |
 * |              | has not read the response             | room is needed, or it lasts long: `closed`  |
 * | `closed`     | it has left its groups                |                                             |
 *
 * The current response is the last one if a shutdown has begun, or if the client has sent more
 * before it: what follows a request in work is not processed, and not read on. After the last
 * response the connection is closed.
 */
export class Connection {
  /** The response to the request in work. */
  current: ServerResponse | undefined;
  state: OpenState | 'closed' = 'incomplete';
  /** When the state last changed. */
  since = performance.now();
  /** Whether a request that is malformed or late was responded to: there may be more errors. */
  isRejected = false;
  private isLast = false;
  private bytesReadBefore = 0;
  private readonly onClose = (): void => this.end();

  /** Joins the groups, each of which lists its connections by the time of their last change. */
  constructor(
    readonly socket: Socket,
    private readonly groups: readonly Set<Connection>[],
  ) {
    for (const group of groups) group.add(this);
  }

  /** Whether nothing has arrived since the last request. */
  get isSilent(): boolean {
    return !this.current && this.socket.bytesRead === this.bytesReadBefore;
  }

  /** Begins work on a request; returns false if the connection was closed before. */
  begin(response: ServerResponse): boolean {
    if (this.state === 'closed') return false;
    this.current = response;
    response.on('close', this.onClose);
    if (this.isLast) response.setHeader('Connection', 'close');
    this.update();
    return true;
  }

  closeAfterResponse(): void {
    this.isLast = true;
    if (this.current && !this.current.headersSent) this.current.setHeader('Connection', 'close');
  }

  /** Ends server-sent events, which have no end of their own: their reader connects anew. */
  endEvents(): void {
    const { current, socket } = this;
    if (!current || !isEventStream(current)) return;
    current.on('error', () => undefined); // of an event that is sent meanwhile
    current.end();
    if (socket.writableLength > 0) socket.destroy(); // the client reads nothing
  }

  /** Finds out the state anew, as no event reports most of its changes. */
  update(): void {
    const state = this.findState();
    if (this.state === state || this.state === 'closed') return;
    for (const group of this.groups) {
      group.delete(this);
      group.add(this);
    }
    this.state = state;
    this.since = performance.now();
  }

  leave(): void {
    for (const group of this.groups) group.delete(this);
    this.state = 'closed';
  }

  private end(): void {
    this.current = undefined;
    this.bytesReadBefore = this.socket.bytesRead;
    if (this.isLast) this.socket.destroySoon();
    this.update();
  }

  private findState(): OpenState {
    if (this.current?.req.complete) return this.current.writableEnded ? 'idle' : 'working';
    return this.isSilent && this.socket.bytesRead > 0 ? 'idle' : 'incomplete';
  }
}

/** Says whether a response is of server-sent events, which last as long as their client wants. */
export function isEventStream(response: ServerResponse): boolean {
  return /^text\/event-stream/.test(String(response.getHeader('Content-Type')));
}
