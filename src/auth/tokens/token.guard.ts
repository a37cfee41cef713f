import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { IS_PUBLIC } from '../../http/public.decorator.js';
import { CHECKS_REVOCATION } from './checks-revocation.decorator.js';
import type { Principal } from './current-user.decorator.js';
import { JwtStrategy, sendsBearer } from './jwt.strategy.js';
import { TokenInvalid, TokenMissing } from './tokens.errors.js';
import { TokensService } from './tokens.service.js';

/** Requires a live token, before the body is read, on every route that is not `@Public()`. */
@Injectable()
export class TokenGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokensService,
    private readonly strategy: JwtStrategy,
  ) {
    super({ defaultStrategy: strategy.registeredAs });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler();
    const isPublic = this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [
      handler,
      context.getClass(),
    ]);
    if (isPublic) return true;
    const request = context.switchToHttp().getRequest<Request>();
    if (!sendsBearer(request)) throw new TokenMissing();
    request.user = this.strategy.verifiedBefore(request);
    if (!request.user) await super.canActivate(context);
    const isCheckedLater = this.reflector.get<boolean>(CHECKS_REVOCATION, handler);
    if (!isCheckedLater && !(await this.tokens.isLive(request.user as Principal)))
      throw new TokenInvalid();
    return true;
  }

  override handleRequest<User = Principal>(error: unknown, principal: User | false): User {
    if (error) throw error as Error;
    if (!principal) throw new TokenInvalid();
    return principal;
  }
}
