import type { IncomingMessage } from 'node:http';
import type { TrackedResponse } from './tracked-response.js';

/** Milliseconds that a disconnected client's request keeps its slot, if it is not done before. */
const MAX_ABANDONED_MS = 10_000;

/** Limits how many requests are in work at once, those of disconnected clients included. */
export class RequestSlots {
  /** Number of acquired slots. */
  count = 0;

  constructor(private readonly maximum: number) {}

  get isFull(): boolean {
    return this.count >= this.maximum;
  }

  /** Takes a slot until the response is sent; returns false if there is none. */
  acquire(response: Pick<TrackedResponse, 'releaseSlot'>): boolean {
    if (this.isFull) return false;
    this.count++;
    response.releaseSlot = () => {
      response.releaseSlot = undefined;
      this.count--;
    };
    return true;
  }
}

/** Gives the slot of a closed response back, at once only if its work is done. */
export function releaseSlotAfterClose(response: TrackedResponse): void {
  if (response.headersSent) response.releaseSlot?.();
  else if (response.releaseSlot)
    setTimeout(() => response.releaseSlot?.(), MAX_ABANDONED_MS).unref();
}

/** Tells whether a request asks for the health of the service, for which it needs no slot. */
export function needsNoSlot({ url }: IncomingMessage): boolean {
  return url?.startsWith('/health/') === true;
}
