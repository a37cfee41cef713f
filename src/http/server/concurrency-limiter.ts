import type { ServerResponse } from 'node:http';
import type { TrackedResponse, Tracking } from './tracked-response.js';

/** After which the work for a client that went away has surely ended: nothing waits for the database as long. */
const ABANDONED_MS = 10_000;

/**
 * Counts the requests that are being worked on and lets in no more than a maximum. Where a client goes away, the work for
 * it goes on, so its request counts until there is an answer: clients that give up early do not get more done at once.
 */
export class ConcurrencyLimiter {
  private current = 0;

  constructor(private readonly maximum: number) {}

  get count(): number {
    return this.current;
  }

  /** false where there is no room. */
  enter(response: TrackedResponse): boolean {
    if (this.current >= this.maximum) return false;
    this.current++;
    response.inFlight = true;
    return true;
  }

  /** There is an answer. */
  leave(response: ServerResponse & Partial<Tracking>): void {
    if (response.inFlight !== true) return;
    response.inFlight = false;
    this.current--;
  }

  /** The answer was sent, or nobody is left to read it. */
  connectionClosed(response: TrackedResponse): void {
    if (response.headersSent) this.leave(response);
    else if (response.inFlight) setTimeout(() => this.leave(response), ABANDONED_MS).unref();
  }
}
