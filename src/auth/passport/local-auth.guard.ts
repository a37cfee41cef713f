import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { LocalStrategy } from './local.strategy.js';
import { onePerRequest } from './one-per-request.js';

/** Admits a login with the right username and password; 401 and 403 come from `AuthService`. */
@Injectable()
export class LocalAuthGuard extends AuthGuard() {
  constructor(strategy: LocalStrategy) {
    super(onePerRequest(strategy));
  }

  override handleRequest<User>(error: Error | null, user: User): User {
    if (error) throw error;
    return user;
  }
}
