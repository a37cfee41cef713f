import { UseGuards, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerStorage } from '@nestjs/throttler';
import type { Request } from 'express';
import { serviceError } from './errors/service-error.js';
import { clientNetwork } from './server/client-address.decorator.js';

export const TooManyRequests = serviceError(
  'too_many_requests',
  429,
  'too many of these requests: retry after the seconds in Retry-After',
  (waitSeconds: number) => ({ 'Retry-After': String(waitSeconds) }),
);

/** Limits how often each user may call a route, or each address if the route is public; counted in each worker. */
export function RateLimit(limit: number, windowSeconds: number): MethodDecorator & ClassDecorator {
  const throttlers = [{ limit, ttl: windowSeconds * 1000 }];
  const guard = new RateLimitGuard(
    { throttlers, generateKey: (_context, client) => client },
    new BoundedThrottlerStorage(),
    new Reflector(),
  );
  void guard.onModuleInit(); // Nest calls it for injected guards alone
  return UseGuards(guard);
}

class RateLimitGuard extends ThrottlerGuard {
  protected override getTracker(request: Request & { user?: { userId?: number } }): Promise<string> {
    return Promise.resolve(String(request.user?.userId ?? clientNetwork(request)));
  }

  protected override throwThrottlingException(_context: ExecutionContext, detail: ThrottlerLimitDetail): never {
    throw new TooManyRequests(detail.timeToBlockExpire);
  }
}

interface Window {
  readonly endsAt: number;
  hits: number;
}

/** Counts in memory, as the library's own storage does, which keeps any number of clients. */
export class BoundedThrottlerStorage implements ThrottlerStorage {
  private readonly windows = new Map<string, Window>();

  /** Beyond so many clients the oldest is forgotten. */
  constructor(private readonly maxClients = 100_000) {}

  increment(client: string, ttl: number, limit: number): ReturnType<ThrottlerStorage['increment']> {
    const now = performance.now();
    let window = this.windows.get(client);
    if (!window || window.endsAt <= now) window = this.open(client, now + ttl);
    const totalHits = ++window.hits;
    const timeToExpire = Math.ceil((window.endsAt - now) / 1000);
    const isBlocked = totalHits > limit;
    return Promise.resolve({ totalHits, timeToExpire, isBlocked, timeToBlockExpire: timeToExpire });
  }

  private open(client: string, endsAt: number): Window {
    const window = { endsAt, hits: 0 };
    this.windows.delete(client); // a new window comes last
    this.windows.set(client, window);
    const [oldest] = this.windows.keys();
    if (oldest !== undefined && this.windows.size > this.maxClients) this.windows.delete(oldest);
    return window;
  }
}
