import type { Request } from 'express';
import type { Strategy } from 'passport';

/** A strategy once the methods to report through are on it. */
interface Runnable {
  authenticate(request: Request): void;
}

/**
 * Runs a passport strategy on a request and returns the user, or undefined where the strategy fails.
 *
 * Not @nestjs/passport's AuthGuard: it finds strategies by name in one registry per process, so that two applications
 * in one process would share the strategy that was registered last. Each request gets its own copy, because a strategy
 * reports through methods that are put onto it. See docs/performance.md#run-strategy.
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
