import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-local';
import { AuthService } from '../auth.service.js';
import type { LoginAttempt } from '../throttling/login-attempt.js';
import type { LoginRequest } from '../throttling/login-request.js';

/** Admits who knows the username and the password; comes after the throttler, which looks the username up. */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy, 'local') {
  constructor(private readonly auth: AuthService) {
    super({ passReqToCallback: true });
  }

  async validate({ loginAttempt }: LoginRequest, _username: string, password: string): Promise<LoginAttempt> {
    await this.auth.authenticate(loginAttempt!, password);
    return loginAttempt!;
  }
}
