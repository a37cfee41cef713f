import { UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';
import { serviceError } from './errors/service-error.js';
import { clientAddress } from './server/client-address.decorator.js';

/** Beyond it the oldest client is forgotten, so that invented addresses take no more memory. */
const MAX_CLIENTS = 100_000;

export const TooManyRequests = serviceError(
  'too_many_requests',
  429,
  'too many of these requests: retry after the seconds in Retry-After',
  (waitSeconds: number) => ({ 'Retry-After': String(waitSeconds) }),
);

/** Limits how often each user may call a route, or each address if the route is public; counted in each worker. */
export function RateLimit(limit: number, windowSeconds: number): MethodDecorator & ClassDecorator {
  return UseGuards(new RateLimitGuard(limit, windowSeconds));
}

interface Window {
  readonly endsAt: number;
  calls: number;
}

class RateLimitGuard implements CanActivate {
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly limit: number,
    private readonly windowSeconds: number,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: { userId?: number } }>();
    const window = this.windowOf(String(request.user?.userId ?? normalizeIp(clientAddress(request))));
    if (++window.calls <= this.limit) return true;
    throw new TooManyRequests(Math.ceil((window.endsAt - performance.now()) / 1000));
  }

  private windowOf(client: string): Window {
    const now = performance.now();
    const current = this.windows.get(client);
    if (current && current.endsAt > now) return current;
    const next = { endsAt: now + this.windowSeconds * 1000, calls: 0 };
    this.windows.delete(client); // a new window comes last
    this.windows.set(client, next);
    const [oldest] = this.windows.keys();
    if (oldest !== undefined && this.windows.size > MAX_CLIENTS) this.windows.delete(oldest);
    return next;
  }
}
