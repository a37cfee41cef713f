import type { TrackedResponse } from './tracked-response.js';

/** Milliseconds that a disconnected client's request keeps its slot, if it is not done before. */
const MAX_ABANDONED_MS = 10_000;

/**
 * Limits how many requests are in work, with those of disconnected clients. It counts them, and
 * listens with `on`: a Set of the responses, or `once`, would keep finished ones through V8's next
 * collections, and with them what was sent.
 */
export class RequestSlots {
  /** Number of slots that are taken. */
  size = 0;

  constructor(private readonly maximum: number) {}

  /** Takes a slot until the response is made; returns false if there is none. */
  acquire(response: Pick<TrackedResponse, 'on' | 'headersSent' | 'releaseSlot'>): boolean {
    if (this.size >= this.maximum) return false;
    this.size++;
    response.releaseSlot = () => {
      response.releaseSlot = undefined;
      this.size--;
    };
    response.on('close', () => {
      if (response.headersSent) response.releaseSlot?.();
      else setTimeout(() => response.releaseSlot?.(), MAX_ABANDONED_MS).unref();
    });
    return true;
  }
}
