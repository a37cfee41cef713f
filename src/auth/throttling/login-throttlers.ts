import type { ThrottlerOptions } from '@nestjs/throttler';
import type { AppConfig } from '../../config/app-config.js';
import type { LoginAttempt, LoginThrottle } from './login-identity.js';

/** The limits of failed logins. */
export function loginThrottlers(config: AppConfig): ThrottlerOptions[] {
  const { LOGIN_WINDOW_SECONDS: window, LOGIN_LOCK_SECONDS: lock } = config;
  const { LOGIN_USERNAME_WINDOW_SECONDS, LOGIN_USERNAME_LOCK_SECONDS } = config;
  const { LOGIN_ADDRESS_WINDOW_SECONDS, LOGIN_ADDRESS_LOCK_SECONDS } = config;
  const username = [LOGIN_USERNAME_WINDOW_SECONDS || window, LOGIN_USERNAME_LOCK_SECONDS || lock] as const;
  const address = [LOGIN_ADDRESS_WINDOW_SECONDS || window, LOGIN_ADDRESS_LOCK_SECONDS || lock] as const;
  return [
    throttler('pair', config.LOGIN_MAX_FAILURES, [window, lock], (attempt) => [attempt.accountKey, attempt.ipPrefix]),
    throttler('username', config.LOGIN_USERNAME_MAX_FAILURES, username, ({ accountKey }) => [accountKey, '']),
    throttler('address', config.LOGIN_ADDRESS_MAX_FAILURES, address, ({ ipPrefix }) => ['', ipPrefix]),
  ];
}

function throttler(
  name: LoginThrottle['name'],
  limit: number,
  [windowSeconds, lockSeconds]: readonly [number, number],
  keyOf: (attempt: LoginAttempt) => [accountKey: string, ipPrefix: string],
): ThrottlerOptions {
  const getTracker = (request: Record<string, unknown>): string =>
    keyOf(request['loginAttempt'] as LoginAttempt).join(' ');
  return { name, limit, ttl: windowSeconds * 1000, blockDuration: lockSeconds * 1000, getTracker };
}
