import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-local';
import { AuthService } from '../auth.service.js';
import { HousekeepingService } from '../housekeeping/housekeeping.service.js';
import type { LoginAttempt, LoginRequest } from '../throttling/login-identity.js';

/** Verifies username and password after the throttler guard has identified the login. */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy, 'local') {
  constructor(
    private readonly auth: AuthService,
    private readonly housekeeping: HousekeepingService,
  ) {
    super({ passReqToCallback: true });
  }

  async validate({ loginAttempt }: LoginRequest, _username: string, password: string): Promise<LoginAttempt> {
    this.housekeeping.begin();
    await this.auth.authenticate(loginAttempt!, password);
    return loginAttempt!;
  }
}
