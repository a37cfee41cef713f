import { createSecretKey, randomUUID } from 'node:crypto';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { isUUID } from 'class-validator';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { Clock } from '../../calendar/business-calendar.js';
import { LoginConfig } from '../../config/login.config.js';
import { IS_PUBLIC } from '../../http/public.decorator.js';
import { ChecksRevocation } from './checks-revocation.decorator.js';
import type { Principal } from './current-user.decorator.js';
import { TokenInvalid, TokenMissing } from './tokens.errors.js';
import { TokensService } from './tokens.service.js';

const MAX_VERIFIED_TOKENS = 10_000;

type VerifiedToken = Principal & { readonly exp: number };

/**
 * Returns a bearer token, cut after 2,048 characters; an issued one has 300. The extractor of
 * passport-jwt takes a second for a long header without a space.
 */
function tokenOf({ headers }: Request): string | null {
  return /^bearer +(.{1,2048})/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Verifies the signature of a token by one secret; `TokenGuard` checks expiry and revocation. */
class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  /** Name in passport's registry, which is per process: each application needs one of its own. */
  readonly registeredAs = `jwt ${randomUUID()}`;

  constructor(secret: string) {
    super({
      jwtFromRequest: tokenOf,
      algorithms: ['HS256'],
      ignoreExpiration: true, // the guard checks it by `Clock`, which tests can set
      // A string would be tried as a public key first. The types of the library lack KeyObject.
      secretOrKey: createSecretKey(secret, 'utf8') as never,
    });
    passport.use(this.registeredAs, this);
  }

  validate({ sub, jti, exp }: Record<string, unknown>): VerifiedToken | undefined {
    const isOurs = /^\d{1,10}$/.test(String(sub)) && isUUID(jti) && typeof exp === 'number';
    return isOurs ? { userId: Number(sub), tokenId: jti as string, exp } : undefined;
  }
}

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

  override handleRequest<User = VerifiedToken>(_error: unknown, verified: User | false): User {
    if (!verified) throw new TokenInvalid();
    return verified;
  }

  /** Lets passport verify a token; it sets the user of the request. */
  private async verify(token: string, context: ExecutionContext): Promise<VerifiedToken> {
    await super.canActivate(context);
    const { user } = context.switchToHttp().getRequest<{ user: VerifiedToken }>();
    if (this.verified.size >= MAX_VERIFIED_TOKENS) this.verified.clear();
    this.verified.set(token, user);
    return user;
  }
}
