import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { clientNetwork } from './client-address.decorator.js';
import type { TrackedResponse, Tracking } from './tracked-response.js';

/** Longer than any statement. */
const MAX_ABANDONED_MS = 10_000;

const MAX_FAMILIAR = 10_000;

/**
 * Limits concurrent requests, including those of disconnected clients. It keeps slots for addresses from which a user
 * logged in, as far as this process remembers.
 */
export class ConcurrencyLimiter {
  /** Acquired slots. */
  count = 0;
  private readonly forUnfamiliar: number;
  private readonly familiar = new Set<string>();

  constructor(
    private readonly maximum: number,
    shareOfUnfamiliar = 1,
  ) {
    this.forUnfamiliar = Math.ceil(maximum * shareOfUnfamiliar);
  }

  isFullFor(request: Request): boolean {
    if (this.count < this.forUnfamiliar) return false;
    return this.count >= this.maximum || !this.familiar.has(clientNetwork(request));
  }

  acquire(response: Response & Tracking): boolean {
    if (this.isFullFor(response.req)) return false;
    this.count++;
    response.slots = this;
    return true;
  }

  release(request: Request): void {
    this.count--;
    if (request.user && this.forUnfamiliar < this.maximum) this.remember(clientNetwork(request));
  }

  private remember(key: string): void {
    this.familiar.delete(key); // the last is the latest
    this.familiar.add(key);
    if (this.familiar.size > MAX_FAMILIAR) this.familiar.delete(this.familiar.values().next().value!);
  }
}

export function releaseSlot(response: ServerResponse & Partial<Tracking>): void {
  const { slots } = response;
  response.slots = undefined;
  slots?.release(response.req);
}

/** Unfinished work keeps its slot for a while. */
export function releaseSlotAfterClose(response: TrackedResponse): void {
  if (response.headersSent) releaseSlot(response);
  else if (response.slots) setTimeout(() => releaseSlot(response), MAX_ABANDONED_MS).unref();
}
