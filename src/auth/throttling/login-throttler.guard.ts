import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { clientAddress } from '../../http/server/client-address.js';
import type { Tracking } from '../../http/server/tracked-response.js';
import { LoginAttemptsService } from './login-attempts.service.js';
import type { LoginRequest } from './login-request.js';

/**
 * Refuses logins while a lock lasts. It only looks: a throttler counts what comes in, but the sixth of six right logins
 * is no failure. Failures are counted by `AuthService`, once the password was compared.
 */
@Injectable()
export class LoginThrottlerGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly attempts: LoginAttemptsService,
  ) {
    super(options, storage, reflector);
  }

  protected override async handleRequest({ context }: ThrottlerRequest): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<LoginRequest>();
    const applicant = await this.attempts.identify(request.body.username, clientAddress(request));
    http.getResponse<Tracking>().logFields['login'] = applicant.subject;
    request.loginAttempt = await this.attempts.open(applicant);
    return true;
  }
}
