import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { IS_PUBLIC } from '../../http/public.decorator.js';
import { TokenInvalid, TokenMissing } from '../auth.errors.js';
import { bearerToken } from './bearer-token.js';
import { JwtStrategy } from './jwt.strategy.js';
import { onePerRequest } from './one-per-request.js';

/** Closes every route that is not `@Public()` to callers without a live token. Runs before the body is read. */
@Injectable()
export class TokenGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    strategy: JwtStrategy, // this application's own, not the last one that registered with passport
  ) {
    super(onePerRequest(strategy));
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [context.getHandler(), context.getClass()])) return true;
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<Principal>(
    error: Error | null,
    principal: Principal | false,
    _info: unknown,
    context: ExecutionContext,
  ): Principal {
    if (error) throw error;
    if (principal) return principal;
    const request = context.switchToHttp().getRequest<Request>();
    throw bearerToken(request) === null ? new TokenMissing() : new TokenInvalid();
  }
}
