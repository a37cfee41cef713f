import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { WrongCredentials } from '../auth.errors.js';
import type { LoginAttempt } from '../throttling/login-identity.js';
import { LocalStrategy } from './local.strategy.js';
import { runStrategy } from './run-strategy.js';

/** Admits a login with the right username and password; 401 and 403 come from `AuthService`. */
@Injectable()
export class LocalAuthGuard implements CanActivate {
  constructor(private readonly strategy: LocalStrategy) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const attempt = await runStrategy<LoginAttempt>(this.strategy, request);
    if (!attempt) throw new WrongCredentials();
    request.user = attempt;
    return true;
  }
}
