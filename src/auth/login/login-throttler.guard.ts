import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { TrackedResponse } from '../../http/adapter/tracked-response.js';
import { validateDto } from '../../http/validation/request.pipe.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { LoginDto } from './login.dto.js';
import { type LoginAttempt, LoginFailuresService } from './login-failures.service.js';

/**
 * Lets a login attempt pass if it is well-formed (else 400), has a turn (503), no lock (429). Nest's
 * ThrottlerGuard would count right logins too: see docs/decisions/failed-logins-in-postgresql.md
 */
@Injectable()
export class LoginThrottlerGuard implements CanActivate {
  constructor(
    private readonly failures: LoginFailuresService,
    private readonly passwords: PasswordsService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user: LoginAttempt }>();
    // passport-local would reject a missing field with 401.
    const { username } = await validateDto(LoginDto, request.body);
    this.passwords.assertCapacity(true); // before the database is asked
    const { clientAddress, logFields } = http.getResponse<TrackedResponse>();
    const attempt = await this.failures.findAttempt(username, clientAddress);
    request.user = attempt;
    logFields['login'] = attempt.accountKey;
    this.passwords.assertCapacity(attempt.isKnown);
    this.failures.assertNotLocked(attempt);
    return true;
  }
}
