import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { IS_PUBLIC } from '../../http/public.decorator.js';
import { TokenInvalid, TokenMissing } from '../auth.errors.js';
import type { Principal } from '../current-user.decorator.js';
import { DEFERS_REVOCATION_CHECK } from '../defers-revocation-check.decorator.js';
import { TokensService } from '../tokens/tokens.service.js';
import { JwtStrategy, sendsBearer } from './jwt.strategy.js';
import { runStrategy } from './run-strategy.js';

/** Requires a live token before the body is read. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly strategy: JwtStrategy,
    private readonly tokens: TokensService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [context.getHandler(), context.getClass()])) return true;
    const request = context.switchToHttp().getRequest<Request>();
    if (!sendsBearer(request)) throw new TokenMissing();
    const principal = await runStrategy<Principal>(this.strategy, request);
    if (!principal) throw new TokenInvalid();
    request.user = principal;
    const defers = this.reflector.get<boolean>(DEFERS_REVOCATION_CHECK, context.getHandler());
    if (!defers) principal.confirm(await this.tokens.isLive(principal));
    return true;
  }
}
