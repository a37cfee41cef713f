import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-local';
import { LoginService } from './login.service.js';
import type { LoginAttempt } from './login-failures.service.js';

/** Compares the password of a login attempt, which `LoginThrottlerGuard` has found. */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy, 'local') {
  /** Name in passport's registry, which is per process: each application needs one of its own. */
  readonly registeredAs = `local ${randomUUID()}`;

  constructor(private readonly logins: LoginService) {
    super({ passReqToCallback: true });
    passport.use(this.registeredAs, this);
  }

  async validate(
    { user }: Request & { user: LoginAttempt },
    _username: string,
    password: string,
  ): Promise<LoginAttempt> {
    await this.logins.authenticate(user, password);
    return user;
  }
}
