import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { Clock } from '../../calendar/business-calendar.js';
import { LoginConfig } from '../../config/login.config.js';
import { IS_PUBLIC } from '../../http/public.decorator.js';
import { ChecksRevocation } from './checks-revocation.decorator.js';
import { JwtStrategy, tokenOf, type VerifiedToken } from './jwt.strategy.js';
import { TokenInvalid, TokenMissing } from './tokens.errors.js';
import { TokensService } from './tokens.service.js';

const MAX_VERIFIED_TOKENS = 10_000;

/** Requires a live token, before the body is read, on every route that is not `@Public()`. */
@Injectable()
export class TokenGuard extends AuthGuard() {
  /** Tokens that passport has verified; see docs/performance.md#token-cache */
  private readonly verified = new Map<string, VerifiedToken>();

  constructor(
    { JWT_SECRET, JWT_PREVIOUS_SECRET }: LoginConfig,
    private readonly clock: Clock,
    private readonly reflector: Reflector,
    private readonly tokens: TokensService,
  ) {
    const secrets = [JWT_SECRET, JWT_PREVIOUS_SECRET].filter((secret) => secret !== '');
    // passport asks one strategy after the other.
    super({ defaultStrategy: secrets.map((secret) => new JwtStrategy(secret).registeredAs) });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [handler, controller])) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const token = tokenOf(request);
    if (token === null) throw new TokenMissing();
    const verified = this.verified.get(token) ?? (await this.verify(token, context));
    request.user = verified;
    const isExpired = verified.exp * 1000 <= this.clock.now();
    const isCheckedLater = this.reflector.get(ChecksRevocation, handler);
    if (isExpired || !(isCheckedLater || (await this.tokens.isLive(verified))))
      throw new TokenInvalid();
    return true;
  }

  /** Lets passport verify a token; it sets the user of the request. */
  private async verify(token: string, context: ExecutionContext): Promise<VerifiedToken> {
    try {
      await super.canActivate(context);
    } catch {
      throw new TokenInvalid(); // also for what jsonwebtoken throws at a payload that is null
    }
    const { user } = context.switchToHttp().getRequest<{ user: VerifiedToken }>();
    if (this.verified.size >= MAX_VERIFIED_TOKENS) this.verified.clear();
    this.verified.set(token, user);
    return user;
  }
}
