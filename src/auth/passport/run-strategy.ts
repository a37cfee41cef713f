import type { Request } from 'express';
import type { Strategy } from 'passport';

interface Runnable {
  authenticate(request: Request): void;
}

/** Replaces AuthGuard, whose registry of strategies is per process. See docs/performance.md#run-strategy. */
export function runStrategy<User>(strategy: Strategy, request: Request): Promise<User | undefined> {
  return new Promise((resolve, reject) => {
    // It reports through its methods: one copy per request.
    const run = Object.assign(Object.create(strategy) as Runnable, {
      success: (user: User) => resolve(user),
      fail: () => resolve(undefined),
      error: reject,
    });
    run.authenticate(request);
  });
}
