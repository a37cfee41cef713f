import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * `incomplete`: a new connection, or a request that is still arriving. `idle`: between requests, or
 * with a response that is not read. `working`: a whole request has arrived and is not answered.
 */
type OpenState = 'incomplete' | 'idle' | 'working';

/** Works on the requests of a connection one by one, and knows whether it may be closed. */
export class Connection {
  /** The response to the request in work. */
  current: ServerResponse | undefined;
  state: OpenState | 'closed' = 'incomplete';
  /** When the state last changed. */
  since = performance.now();
  /** Starts work on the request that waits. */
  private next: (() => void) | undefined;
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

  /** Starts work on a request once the one before is answered; the connection ends if two wait. */
  begin(response: ServerResponse, start: () => void): void {
    if (this.state === 'closed') return;
    if (this.current) {
      if (this.next) this.closeAfterResponse();
      else this.next = () => this.begin(response, start);
      setImmediate(() => this.next && this.socket.pause()); // Node resumes it after a request
      return;
    }
    this.current = response;
    response.on('close', this.onClose);
    if (this.isLast) response.setHeader('Connection', 'close');
    this.update();
    start();
  }

  closeAfterResponse(): void {
    this.isLast = true;
    if (this.current && !this.current.headersSent) this.current.setHeader('Connection', 'close');
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
    const { next, socket } = this;
    this.current = undefined;
    this.next = undefined;
    this.bytesReadBefore = socket.bytesRead;
    if (this.isLast) socket.destroySoon();
    this.update();
    if (!next || socket.destroyed) return;
    socket.resume();
    next();
  }

  private findState(): OpenState {
    if (this.current?.req.complete) return this.current.writableEnded ? 'idle' : 'working';
    return this.isSilent && this.socket.bytesRead > 0 ? 'idle' : 'incomplete';
  }
}
