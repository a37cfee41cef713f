import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { AppConfig } from '../../config/app-config.js';
import { CredentialsService } from '../../users/credentials.service.js';
import { clientAddress } from '../../http/server/client-address.decorator.js';
import type { Tracking } from '../../http/server/tracked-response.js';
import { LoginAttemptsService } from './login-attempts.service.js';
import type { LoginAttempt, LoginRequest, LoginThrottle } from './login-attempt.js';
import { LoginLimitsService } from './login-limits.service.js';

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

/** Rejects locked logins; `LoginLimitsService` counts failures. */
@Injectable()
export class LoginThrottlerGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    private readonly attempts: LoginAttemptsService,
    private readonly limits: LoginLimitsService,
  ) {
    super(options, storage, new Reflector());
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<LoginRequest>();
    const attempt = await this.attempts.identify(request.body.username, clientAddress(request));
    request.loginAttempt = attempt;
    request.body = { username: attempt.accountKey, password: CredentialsService.shortened(request.body.password) };
    http.getResponse<Tracking>().logFields['login'] = attempt.accountKey;
    await super.canActivate(context);
    await this.limits.assertNotLocked(attempt);
    return true;
  }

  /** Called for each throttler. */
  protected override async handleRequest(options: ThrottlerRequest): Promise<boolean> {
    const { context, throttler, limit, ttl, blockDuration, getTracker, generateKey } = options;
    const request = context.switchToHttp().getRequest<LoginRequest>();
    const name = throttler.name as LoginThrottle['name'];
    const key = generateKey(context, await getTracker(request, context), name);
    request.loginAttempt!.throttles.push({ name, key, limit, ttl, blockDuration });
    return true;
  }
}
