import type { TrackedResponse } from './tracked-response.js';

/** Milliseconds that the work for a client that is gone or was answered keeps its slot at most. */
const MAX_ABANDONED_MS = 10_000;

/**
 * Limits how many requests are in work, with those of disconnected clients. It counts them, as V8
 * would keep finished ones through its next collections if there were a Set of the responses, a
 * listener by `once`, or on each response a function that gives its slot back: see
 * docs/performance.md#collections
 */
export class RequestSlots {
  /** Number of slots that are taken. */
  size = 0;

  constructor(private readonly maximum: number) {}

  /** Takes a slot until the response is made; returns false if there is none. */
  acquire(response: Pick<TrackedResponse, 'on' | 'headersSent' | 'slots' | 'isLate'>): boolean {
    if (this.size >= this.maximum) return false;
    this.size++;
    response.slots = this;
    response.on('close', () => {
      if (response.headersSent && !response.isLate) releaseSlot(response);
      else setTimeout(() => releaseSlot(response), MAX_ABANDONED_MS).unref();
    });
    return true;
  }
}

/** Gives the slot of a request back, if that has not been done. */
export function releaseSlot(response: Partial<Pick<TrackedResponse, 'slots'>>): void {
  if (response.slots) response.slots.size--;
  response.slots = undefined;
}
