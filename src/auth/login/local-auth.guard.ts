import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { LocalStrategy } from './local.strategy.js';

/** Lets a login pass if its password is right and the account enabled (else 401, 403 or 429). */
@Injectable()
export class LocalAuthGuard extends AuthGuard() {
  constructor(strategy: LocalStrategy) {
    super({ defaultStrategy: strategy.registeredAs });
  }
}
