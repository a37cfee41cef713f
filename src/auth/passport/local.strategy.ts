import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-local';
import { Housekeeping } from '../../database/housekeeping.js';
import { WrongCredentials } from '../auth.errors.js';
import { AuthService } from '../auth.service.js';
import type { LoginAttempt, LoginRequest } from '../throttling/login-attempt.js';
import { runStrategy } from './run-strategy.js';

/** Runs after the throttler guard, which sets `loginAttempt`. */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy, 'local') {
  constructor(
    private readonly auth: AuthService,
    private readonly housekeeping: Housekeeping,
  ) {
    super({ passReqToCallback: true });
  }

  async validate({ loginAttempt }: LoginRequest, _username: string, password: string): Promise<LoginAttempt> {
    this.housekeeping.begin();
    await this.auth.authenticate(loginAttempt!, password);
    return loginAttempt!;
  }
}

@Injectable()
export class LocalAuthGuard implements CanActivate {
  constructor(private readonly strategy: LocalStrategy) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<LoginRequest>();
    const attempt = await runStrategy<LoginAttempt>(this.strategy, request);
    if (!attempt) throw new WrongCredentials();
    request.user = attempt;
    return true;
  }
}
