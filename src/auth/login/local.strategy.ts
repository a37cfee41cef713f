import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-local';
import { PasswordsService } from '../../users/passwords.service.js';
import { LoginService } from './login.service.js';
import { LoginFailuresService, type RightLogin } from './login-failures.service.js';

/** Finds the user of a login, or throws 401, 403, 429 or 503: see docs/decisions.md */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy) {
  /** Name in passport's registry, which is per process: each application needs one of its own. */
  readonly registeredAs = `local ${randomUUID()}`;

  constructor(
    private readonly failures: LoginFailuresService,
    private readonly logins: LoginService,
    private readonly passwords: PasswordsService,
  ) {
    super({ passReqToCallback: true });
    passport.use(this.registeredAs, this);
  }

  async validate(
    request: Request<object, unknown, { code?: string }>,
    username: string,
    password: string,
  ): Promise<RightLogin> {
    const { clientAddress, logFields } = request.res!.locals;
    this.passwords.assertCapacity('known'); // a login that finds a full queue costs no statement
    const attempt = await this.failures.findAttempt(username, clientAddress);
    const { id: userId, accountKey: login } = attempt;
    Object.assign(logFields, { login }, userId !== null && { userId, username });
    return this.logins.authenticate(attempt, password, request.body.code);
  }
}
