import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { Strategy } from 'passport-local';
import type { LoginAttempt } from './login-failures.service.js';
import type { LoginRequest } from './login-throttler.guard.js';
import { LoginService } from './login.service.js';

/** Checks username and password; `LoginThrottlerGuard` has begun the attempt. */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy, 'local') {
  /** passport's registry is per process: each application needs a name of its own. */
  readonly registeredAs = `local ${randomUUID()}`;

  constructor(private readonly logins: LoginService) {
    super({ passReqToCallback: true });
    passport.use(this.registeredAs, this);
  }

  async validate(
    { loginAttempt }: LoginRequest,
    _username: string,
    password: string,
  ): Promise<LoginAttempt> {
    await this.logins.authenticate(loginAttempt!, password);
    return loginAttempt!;
  }
}

@Injectable()
export class LocalAuthGuard extends AuthGuard() {
  constructor(strategy: LocalStrategy) {
    super({ defaultStrategy: strategy.registeredAs });
  }
}
