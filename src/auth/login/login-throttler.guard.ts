import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
} from '@nestjs/throttler';
import type { Request } from 'express';
import type { LoginConfig } from '../../config/login.config.js';
import { LoginFailuresService, type LoginAttempt } from './login-failures.service.js';

export interface LoginRequest extends Request {
  /** `LocalAuthGuard` sets it before anything else reads it. */
  loginAttempt: LoginAttempt;
}

export function throttlerOptions(config: LoginConfig): ThrottlerModuleOptions {
  const { LOGIN_MAX_FAILURES, LOGIN_WINDOW_SECONDS, LOGIN_LOCK_SECONDS } = config;
  const durations = { ttl: LOGIN_WINDOW_SECONDS * 1000, blockDuration: LOGIN_LOCK_SECONDS * 1000 };
  return {
    throttlers: [{ name: 'pair', limit: LOGIN_MAX_FAILURES, ...durations }],
    getTracker: (request) => (request as LoginRequest).loginAttempt.pairKey,
    generateKey: (_context, tracker) => tracker,
    setHeaders: false,
  };
}

/** Counts the attempts of a user at an address. `LoginService` takes back those that were right. */
@Injectable()
export class LoginThrottlerGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() private readonly failures: LoginFailuresService,
    reflector: Reflector,
  ) {
    super(options, failures, reflector);
  }

  protected override async throwThrottlingException(
    context: ExecutionContext,
    { totalHits, limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<never> {
    const { loginAttempt } = context.switchToHttp().getRequest<LoginRequest>();
    if (totalHits === limit + 1) await this.failures.recordLock('pair', loginAttempt, limit);
    throw this.failures.locked(timeToBlockExpire);
  }
}
