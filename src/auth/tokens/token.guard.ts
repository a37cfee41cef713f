import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { Clock } from '../../calendar/business-calendar.js';
import { LoginConfig } from '../../config/login.config.js';
import type { TrackedResponse } from '../../http/adapter/tracked-response.js';
import { IS_PUBLIC } from '../../http/public.decorator.js';
import { ChecksRevocation } from './checks-revocation.decorator.js';
import { JwtStrategy, tokenOf, type VerifiedToken } from './jwt.strategy.js';
import { TokenInvalid, TokenMissing } from './tokens.errors.js';
import { TokensService } from './tokens.service.js';

/** Headers that proxies add to requests. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'via'];

const MAX_VERIFIED_TOKENS = 10_000;

/** The name is for the log: it is read when the token is first seen. */
type RequestUser = VerifiedToken & { readonly username: string };

/** Requires a live token, before the body is read, on every route that is not `@Public()`. */
@Injectable()
export class TokenGuard extends AuthGuard() {
  /** Tokens that passport has verified; see docs/performance.md#token-cache */
  private readonly verified = new Map<string, RequestUser>();

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
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, targets)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const token = tokenOf(request);
    if (token === null)
      throw new TokenMissing(PROXY_HEADERS.some((name) => name in request.headers));
    const verified = this.verified.get(token) ?? (await this.verify(token, context));
    request.user = verified;
    if (verified.exp * 1000 <= this.clock.now()) refuse(context, 'expired');
    const isCheckedLater = this.reflector.get(ChecksRevocation, context.getHandler());
    if (!isCheckedLater && !(await this.tokens.isLive(verified))) refuse(context, 'revoked');
    return true;
  }

  /** Lets passport verify a token; it sets the user of the request. */
  private async verify(token: string, context: ExecutionContext): Promise<RequestUser> {
    try {
      await super.canActivate(context);
    } catch {
      refuse(context, 'not issued by this service'); // jsonwebtoken throws at the payload null
    }
    const { user } = context.switchToHttp().getRequest<{ user: VerifiedToken }>();
    const username = await this.tokens.findUsername(user.userId);
    if (username === null) refuse(context, 'not issued by this service');
    const verified = { ...user, username };
    if (this.verified.size >= MAX_VERIFIED_TOKENS) this.verified.clear();
    this.verified.set(token, verified);
    return verified;
  }
}

/** Refuses a token; the client is not told the reason. */
function refuse(context: ExecutionContext, reason: string): never {
  context.switchToHttp().getResponse<TrackedResponse>().logFields['reason'] = reason;
  throw new TokenInvalid();
}
