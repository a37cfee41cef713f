import { Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerStorage } from '@nestjs/throttler';
import { TooManyRequests } from './login.errors.js';

const MAX_ADDRESSES = 10_000;

/**
 * Counts requests of each address in fixed windows. The storage of @nestjs/throttler keeps a timer
 * for each request and never forgets an address.
 */
export class FixedWindowStorage implements ThrottlerStorage {
  private readonly hits = new Map<string, number>();
  private endsAt = 0;

  increment(key: string, ttl: number, limit: number) {
    const now = performance.now();
    if (now >= this.endsAt || this.hits.size >= MAX_ADDRESSES) {
      this.hits.clear();
      this.endsAt = now + ttl;
    }
    const totalHits = (this.hits.get(key) ?? 0) + 1;
    this.hits.set(key, totalHits);
    const timeToExpire = Math.ceil((this.endsAt - now) / 1000);
    const isBlocked = totalHits > limit;
    return Promise.resolve({ totalHits, timeToExpire, isBlocked, timeToBlockExpire: timeToExpire });
  }
}

/** Limits the logins of a client address on this instance, right ones included: 429. */
@Injectable()
export class LoginThrottlerGuard extends ThrottlerGuard {
  protected override throwThrottlingException(
    _context: unknown,
    { timeToExpire }: { timeToExpire: number },
  ): Promise<void> {
    throw new TooManyRequests(timeToExpire);
  }
}
