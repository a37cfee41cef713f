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
import { isId } from '../../http/validation/fields.decorator.js';
import { UsersService } from '../../users/users.service.js';
import type { Principal } from './current-user.decorator.js';
import { TOKEN_LIFETIME_SECONDS } from './token-lifetime.js';
import type { Restriction } from './tokens.errors.js';

/** The sender of a verified token; the log shows the name. */
export type VerifiedToken = Pick<Principal, 'userId' | 'tokenId'> & {
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

/** Returns the secret of this service that signed a token. A string costs 0.4 ms of CPU more. */
export function signingKeyOf(
  token: string,
  { JWT_SECRET, JWT_PREVIOUS_SECRET }: LoginConfig,
): KeyObject | undefined {
  const [, signed = '', signature = ''] = JWT.exec(token) ?? [];
  const given = Buffer.from(signature, 'base64url');
  const secrets = [JWT_SECRET, JWT_PREVIOUS_SECRET].filter((secret) => secret !== '');
  const keys = secrets.map((secret) => createSecretKey(secret, 'utf8'));
  return keys.find((key) => {
    const expected = createHmac('sha256', key).update(signed).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Verifies a token by the secret that signed it. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  /** Name in passport's registry, which is per process: each application needs one of its own. */
  readonly registeredAs = `jwt ${randomUUID()}`;

  constructor(
    config: LoginConfig,
    private readonly clock: Clock,
    private readonly users: UsersService,
  ) {
    super({
      jwtFromRequest: tokenOf,
      algorithms: ['HS256'],
      ignoreExpiration: true, // `validate` checks it by `Clock`, which tests can set
      secretOrKeyProvider: (_request, token: string, done) => {
        const key = signingKeyOf(token, config);
        done(key ? null : 'not signed by this service', key as never); // its types lack KeyObject
      },
    });
    passport.use(this.registeredAs, this);
  }

  /** Takes the claims as `TokensService` issues them and not otherwise. */
  async validate({ sub, jti, iat, exp, restricted }: Record<string, unknown>) {
    const userId = typeof sub === 'string' ? Number(sub) : 0;
    const isUser = isId(userId) && String(userId) === sub;
    const isToken = isUUID(jti) && jti === String(jti).toLowerCase();
    if (!isUser || !isToken || !Number.isInteger(iat)) return null;
    if (exp !== Number(iat) + TOKEN_LIFETIME_SECONDS) return null;
    if (exp * 1000 <= this.clock.now()) return [null, 'expired'];
    const username = (await this.users.findById(userId))?.username;
    return username !== undefined && { userId, tokenId: jti, username, exp, restricted };
  }
}
