import type { ServerResponse } from 'node:http';
import type { Slots, TrackedResponse, Tracking } from './tracked-response.js';

/** Nothing waits for the database this long: the work for a client that has disconnected has ended by then. */
const MAX_ABANDONED_MS = 10_000;

/**
 * Limits the requests that are processed at once. If a client disconnects, its request counts until there is a response:
 * otherwise clients that give up early would get more than their share processed.
 */
export class ConcurrencyLimiter implements Slots {
  private held = 0;

  constructor(private readonly maximum: number) {}

  get count(): number {
    return this.held;
  }

  get isFull(): boolean {
    return this.held >= this.maximum;
  }

  /** Returns false if no slot is free. */
  acquire(response: Tracking): boolean {
    if (this.isFull) return false;
    this.held++;
    response.slots = this;
    return true;
  }

  giveBack(): void {
    this.held--;
  }
}

/** Gives the slot of a request back, if it has one. */
export function releaseSlot(response: ServerResponse & Partial<Tracking>): void {
  const { slots } = response;
  response.slots = undefined;
  slots?.giveBack();
}

/** Does the same once the connection is closed or the response sent; unfinished work keeps its slot for a while. */
export function releaseSlotAfterClose(response: TrackedResponse): void {
  if (response.headersSent) releaseSlot(response);
  else if (response.slots) setTimeout(() => releaseSlot(response), MAX_ABANDONED_MS).unref();
}
