import { createSecretKey, randomUUID } from 'node:crypto';
import { PassportStrategy } from '@nestjs/passport';
import { isUUID } from 'class-validator';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { MAX_INTEGER } from '../../http/validation/fields.decorator.js';
import type { Principal } from './current-user.decorator.js';
import { TOKEN_LIFETIME_SECONDS } from './tokens.service.js';

export type VerifiedToken = Principal & { readonly exp: number };

/**
 * Returns a bearer token, cut after 2,048 characters; an issued one has 300. The extractor of
 * passport-jwt takes a second for a long header without a space.
 */
export function tokenOf({ headers }: Request): string | null {
  return /^bearer +(.{1,2048})/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Verifies the signature of a token by one secret; `TokenGuard` checks expiry and revocation. */
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
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

  /** Takes the claims as `TokensService` issues them and not otherwise. */
  validate({ sub, jti, iat, exp }: Record<string, unknown>): VerifiedToken | undefined {
    if (typeof sub !== 'string' || typeof jti !== 'string' || !Number.isInteger(iat)) return;
    const isUser = /^[1-9]\d{0,9}$/.test(sub) && Number(sub) <= MAX_INTEGER;
    const isToken = isUUID(jti) && jti === jti.toLowerCase();
    if (!isUser || !isToken || exp !== Number(iat) + TOKEN_LIFETIME_SECONDS) return;
    return { userId: Number(sub), tokenId: jti, exp };
  }
}
