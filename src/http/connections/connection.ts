import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * `incomplete`: a new connection, or a request that is still arriving. `idle`: between requests, or
 * with a response that is not read. `working`: a whole request has arrived and is not answered.
 */
type OpenState = 'incomplete' | 'idle' | 'working';

/** Lets a connection have one request in work, and knows whether it may be closed. */
export class Connection {
  /** The response to the request in work. */
  current: ServerResponse | undefined;
  state: OpenState | 'closed' = 'incomplete';
  /** When the state has changed. */
  since = performance.now();
  private isLast = false;
  private bytesReadBefore = 0;

  /** Takes the groups that list the connection, each in the order in which states changed. */
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

  /** Returns false for a request ahead of a response, after which the connection is closed. */
  begin(response: ServerResponse): boolean {
    if (this.current || this.state === 'closed') {
      this.closeAfterResponse();
      this.socket.pause();
      return false;
    }
    this.current = response;
    response.once('close', () => this.end());
    if (this.isLast) response.setHeader('Connection', 'close');
    this.update();
    return true;
  }

  closeAfterResponse(): void {
    this.isLast = true;
    if (this.current && !this.current.headersSent) this.current.setHeader('Connection', 'close');
  }

  /** Finds out the state, whose changes most often no event reports. */
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
