import type { ServerResponse } from 'node:http';
import type { TrackedResponse, Tracking } from './tracked-response.js';

/** Longer than any statement. */
const MAX_ABANDONED_MS = 10_000;

/** Limits concurrent requests, including those of disconnected clients. */
export class ConcurrencyLimiter {
  private held = 0;

  constructor(private readonly maximum: number) {}

  get count(): number {
    return this.held;
  }

  get isFull(): boolean {
    return this.held >= this.maximum;
  }

  acquire(response: Tracking): boolean {
    if (this.isFull) return false;
    this.held++;
    response.slots = this;
    return true;
  }

  release(): void {
    this.held--;
  }
}

export function releaseSlot(response: ServerResponse & Partial<Tracking>): void {
  const { slots } = response;
  response.slots = undefined;
  slots?.release();
}

/** Unfinished work keeps its slot for a while. */
export function releaseSlotAfterClose(response: TrackedResponse): void {
  if (response.headersSent) releaseSlot(response);
  else if (response.slots) setTimeout(() => releaseSlot(response), MAX_ABANDONED_MS).unref();
}
