import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { Strategy } from 'passport-local';
import { LoginService } from './login.service.js';
import type { RightLogin } from './login-failures.service.js';
import type { LoginRequest } from './login-lock.guard.js';

/** Compares the password of a login, of which `LoginLockGuard` has found what is known. */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy) {
  /** Name in passport's registry, which is per process: each application needs one of its own. */
  readonly registeredAs = `local ${randomUUID()}`;

  constructor(private readonly logins: LoginService) {
    super({ passReqToCallback: true });
    passport.use(this.registeredAs, this);
  }

  validate(request: LoginRequest, _username: string, password: string): Promise<RightLogin> {
    return this.logins.authenticate(request.attempt, password, request.code);
  }
}
