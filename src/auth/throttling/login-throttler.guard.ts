import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { CredentialsService } from '../../users/credentials.service.js';
import { clientAddress } from '../../http/server/client-address.decorator.js';
import type { Tracking } from '../../http/server/tracked-response.js';
import { LoginAttemptsService } from './login-attempts.service.js';
import type { LoginRequest, LoginThrottle } from './login-identity.js';
import { LoginLimitsService } from './login-limits.service.js';

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
