import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { validateDto } from '../../http/validation/request.pipe.js';
import { LocalStrategy } from './local.strategy.js';
import { LoginDto } from './login.dto.js';

/** Lets a login pass if it is well-formed (else 400) and `LocalStrategy` returns its user. */
@Injectable()
export class LocalAuthGuard extends AuthGuard() {
  constructor(strategy: LocalStrategy) {
    super({ defaultStrategy: strategy.registeredAs });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    // Pipes run after guards, and passport-local answers a missing field with 401.
    request.body = await validateDto(LoginDto, request.body);
    return super.canActivate(context) as Promise<boolean>;
  }
}
