import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request } from 'express';
import type { LoginConfig } from '../../config/login.config.js';
import { clientAddress } from '../../http/adapter/client-address.decorator.js';
import type { Tracking } from '../../http/adapter/tracked-response.js';
import { validate } from '../../http/validation/request.pipe.js';
import {
  LoginFailuresService,
  millisecondsOf,
  pairKey,
  type LoginAttempt,
} from './login-failures.service.js';
import { LoginDto } from './login.dto.js';

export interface LoginRequest extends Request {
  loginAttempt?: LoginAttempt;
}

const attemptOf = (context: ExecutionContext): LoginAttempt =>
  context.switchToHttp().getRequest<LoginRequest>().loginAttempt!;

/** Counts the attempts of a user at an address. `LoginFailuresService` takes back those that were right. */
export function throttlerOptions(config: LoginConfig): ThrottlerModuleOptions {
  return {
    throttlers: [{ name: 'pair', limit: config.LOGIN_MAX_FAILURES, ...millisecondsOf(config) }],
    getTracker: (request) => pairKey((request as LoginRequest).loginAttempt!),
    generateKey: (_context, tracker) => tracker,
    setHeaders: false,
  };
}

/** Begins a login attempt, and rejects it with 400 for an invalid body and 429 under a lock. */
@Injectable()
export class LoginThrottlerGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly failures: LoginFailuresService,
  ) {
    super(options, storage, reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<LoginRequest>();
    // passport-local would reject a missing field with 401.
    const { username, password } = await validate(LoginDto, request.body);
    const attempt = await this.failures.begin(username, password, clientAddress(request));
    request.loginAttempt = attempt;
    http.getResponse<Tracking>().logFields['login'] = attempt.accountKey;
    const { shared, lockedSeconds } = attempt;
    try {
      if (!shared && lockedSeconds !== null) throw this.failures.locked(lockedSeconds);
      return await super.canActivate(context);
    } catch (error) {
      attempt.settle(error as Error);
      throw error;
    }
  }

  /** An attempt that shares the outcome of another is not counted. */
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(attemptOf(context).shared !== undefined);
  }

  protected override async throwThrottlingException(
    context: ExecutionContext,
    { totalHits, limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<never> {
    if (totalHits === limit + 1) await this.failures.recordLock('pair', attemptOf(context), limit);
    throw this.failures.locked(timeToBlockExpire);
  }
}
