import type { Request } from 'express';
import type { Strategy } from 'passport';

interface Runnable {
  authenticate(request: Request): void;
}

/**
 * Runs a passport strategy on a request and returns the user, or undefined where the strategy fails.
 *
 * AuthGuard of @nestjs/passport finds strategies by name in one registry per process, which two applications would share.
 * A strategy reports through methods set on it, so each request gets a copy. See docs/performance.md#run-strategy.
 */
export function runStrategy<User>(strategy: Strategy, request: Request): Promise<User | undefined> {
  return new Promise((resolve, reject) => {
    const run = Object.assign(Object.create(strategy) as Runnable, {
      success: (user: User) => resolve(user),
      fail: () => resolve(undefined),
      error: reject,
    });
    run.authenticate(request);
  });
}
