import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { isUUID } from 'class-validator';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { Clock } from '../../calendar/business-calendar.js';
import { LoginConfig } from '../../config/login.config.js';
import { MAX_INTEGER } from '../../http/validation/fields.decorator.js';
import { UsersService } from '../../users/users.service.js';
import type { Principal } from './current-user.decorator.js';
import { TOKEN_LIFETIME_SECONDS } from './token-lifetime.js';
import type { Restriction } from './tokens.errors.js';

/** The sender of a verified token; the log shows the name. */
export type VerifiedToken = Principal & {
  readonly username: string;
  readonly exp: number;
  readonly restricted: Restriction | undefined;
};

/** Both parts that are signed are JSON objects; jsonwebtoken throws at `null`. */
const JWT = /^(eyJ[\w-]+\.eyJ[\w-]+)\.([\w-]+)$/;

/**
 * Returns a bearer token, cut after 2,048 characters; an issued one has 300. The extractor of
 * passport-jwt takes a second for a long header without a space.
 */
export function tokenOf({ headers }: Request): string | null {
  return /^bearer +(.{1,2048})/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Verifies a token by the secret that signed it. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  /** Name in passport's registry, which is per process: each application needs one of its own. */
  readonly registeredAs = `jwt ${randomUUID()}`;

  constructor(
    { JWT_SECRET, JWT_PREVIOUS_SECRET }: LoginConfig,
    private readonly clock: Clock,
    private readonly users: UsersService,
  ) {
    const secrets = [JWT_SECRET, JWT_PREVIOUS_SECRET].filter((secret) => secret !== '');
    // A string would be tried as a public key first. The types of the library lack KeyObject.
    const keys = secrets.map((secret) => createSecretKey(secret, 'utf8'));
    super({
      jwtFromRequest: tokenOf,
      algorithms: ['HS256'],
      ignoreExpiration: true, // `validate` checks it by `Clock`, which tests can set
      secretOrKeyProvider: (_request: Request, token: string, done: KeyCallback) => {
        const key = keys.find((each) => hasSigned(each, token));
        done(key ? null : 'no secret of this service signed it', key as never);
      },
    });
    passport.use(this.registeredAs, this);
  }

  /** Takes the claims as `TokensService` issues them and not otherwise. */
  async validate({ sub, jti, iat, exp, restricted }: Record<string, unknown>) {
    if (typeof sub !== 'string' || typeof jti !== 'string' || !Number.isInteger(iat)) return null;
    const isUser = /^[1-9]\d{0,9}$/.test(sub) && Number(sub) <= MAX_INTEGER;
    const isToken = isUUID(jti) && jti === jti.toLowerCase();
    if (!isUser || !isToken || exp !== Number(iat) + TOKEN_LIFETIME_SECONDS) return null;
    if (exp * 1000 <= this.clock.now()) return [null, 'expired'];
    const user = await this.users.findById(Number(sub));
    return user && { userId: user.id, tokenId: jti, username: user.username, exp, restricted };
  }
}

type KeyCallback = (error: string | null, key?: string) => void;

function hasSigned(key: KeyObject, token: string): boolean {
  const [, signed, signature] = JWT.exec(token) ?? [];
  if (signed === undefined || signature === undefined) return false;
  const expected = createHmac('sha256', key).update(signed).digest();
  const given = Buffer.from(signature, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
