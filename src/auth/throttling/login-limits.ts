import type { AppConfig } from '../../config/app-config.js';

/** So many failures in the window lock for a time. */
export interface LoginLimit {
  readonly maxFailures: number;
  readonly windowSeconds: number;
  readonly lockSeconds: number;
}

/** Of a username from one address, of a username from all addresses, and of an address under all usernames. */
export interface LoginLimits {
  readonly pair: LoginLimit;
  readonly username: LoginLimit;
  readonly address: LoginLimit;
}

export function loginLimits(config: AppConfig): LoginLimits {
  const { LOGIN_WINDOW_SECONDS: windowSeconds, LOGIN_LOCK_SECONDS: lockSeconds } = config;
  return {
    pair: { maxFailures: config.LOGIN_MAX_FAILURES, windowSeconds, lockSeconds },
    username: {
      maxFailures: config.LOGIN_USERNAME_MAX_FAILURES,
      windowSeconds: config.LOGIN_USERNAME_WINDOW_SECONDS || windowSeconds,
      lockSeconds: config.LOGIN_USERNAME_LOCK_SECONDS || lockSeconds,
    },
    address: {
      maxFailures: config.LOGIN_ADDRESS_MAX_FAILURES,
      windowSeconds: config.LOGIN_ADDRESS_WINDOW_SECONDS || windowSeconds,
      lockSeconds: config.LOGIN_ADDRESS_LOCK_SECONDS || lockSeconds,
    },
  };
}
