import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { validateDto } from '../../http/validation/request.pipe.js';
import { LoginDto } from './login.dto.js';
import { LoginService } from './login.service.js';
import type { LoginAttempt, RightLogin } from './login-failures.service.js';

/** A login that is well-formed and under no lock; `user` is set once its password was right. */
export type LoginRequest = Request & {
  attempt: LoginAttempt;
  user: RightLogin;
  code?: string | undefined;
};

/**
 * Lets a login pass if it is well-formed (else 400), finds a turn (503) and is under no lock (429):
 * see docs/decisions.md
 */
@Injectable()
export class LoginLockGuard implements CanActivate {
  constructor(private readonly logins: LoginService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<LoginRequest>();
    // Pipes run after guards, and passport-local answers a missing field with 401.
    const { username, code } = await validateDto(LoginDto, request.body);
    const { clientAddress, logFields } = http.getResponse<Response>().locals;
    const attempt = await this.logins.findAllowed(username, clientAddress);
    const { id: userId, accountKey: login } = attempt;
    Object.assign(logFields, { login }, userId !== null && { userId, username });
    Object.assign(request, { attempt, code });
    return true;
  }
}
