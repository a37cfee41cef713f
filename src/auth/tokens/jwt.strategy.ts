import { createHmac, createSecretKey, randomUUID, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { JwtModuleOptions } from '@nestjs/jwt';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Clock } from '../../config/business-calendar.js';
import { LoginConfig } from '../../config/login.config.js';
import { isSentOnce } from '../../http/headers.js';
import type { Principal } from './current-user.decorator.js';

type DoneWithKey = (error: null, key: KeyObject | undefined) => void;

/** Longer headers are not parsed; an issued token has 300 characters. */
const MAX_HEADER_LENGTH = 2048;
const SCHEME = /^bearer(?: |$)/i;
/** The syntax of RFC 6750 section 2.1. */
const CREDENTIALS = /^bearer +[\w~+/.-]+=* *$/i;
const SUBJECT = /^[1-9]\d{0,9}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const MAX_VERIFIED_TOKENS = 10_000;

/** Verifies the signature and the expiry of a token; whether it was revoked is in the database. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  /** Name in passport's registry, which is per process: each application needs one of its own. */
  readonly registeredAs = `jwt ${randomUUID()}`;
  /** Verified tokens, oldest first; see docs/performance.md#token-cache */
  private readonly verified = new Map<string, Principal & { readonly exp: number }>();

  constructor(
    { JWT_SECRET, JWT_PREVIOUS_SECRET }: LoginConfig,
    private readonly clock: Clock,
  ) {
    const secrets = [JWT_SECRET, JWT_PREVIOUS_SECRET].filter((secret) => secret !== '');
    const keys = new Map(secrets.map((each) => [keyId(each), createSecretKey(each, 'utf8')]));
    super({
      jwtFromRequest: tokenOf,
      algorithms: ['HS256'],
      passReqToCallback: true,
      ignoreExpiration: true, // validate() checks it, by the clock of tests too
      // The library's types omit KeyObject.
      secretOrKeyProvider: (_request, token: string, done) =>
        (done as DoneWithKey)(null, keyFor(token, keys)),
    });
    passport.use(this.registeredAs, this);
  }

  /** Returns who sent the request, if its token was verified before. */
  verifiedBefore(request: Request): Principal | undefined {
    const known = this.verified.get(tokenOf(request) ?? '');
    return known && !this.isExpired(known.exp) ? known : undefined;
  }

  override authenticate(request: Request): void {
    try {
      super.authenticate(request);
    } catch {
      this.fail(401); // jsonwebtoken throws on a payload of `null`
    }
  }

  /** Checks the claims; passport-jwt has verified the signature, and `nbf` if there is one. */
  validate(request: Request, { sub, jti, exp }: Record<string, unknown>): Principal | undefined {
    if (typeof sub !== 'string' || !SUBJECT.test(sub)) return undefined;
    if (typeof jti !== 'string' || !UUID.test(jti)) return undefined;
    if (typeof exp !== 'number' || this.isExpired(exp)) return undefined;
    const principal = { userId: Number(sub), tokenId: jti, exp };
    if (this.verified.size >= MAX_VERIFIED_TOKENS)
      this.verified.delete(this.verified.keys().next().value!);
    this.verified.set(tokenOf(request)!, principal);
    return principal;
  }

  private isExpired(exp: number): boolean {
    return exp * 1000 <= this.clock.now();
  }
}

/**
 * Returns the options for new tokens, which are signed with the current secret.
 *
 * It is given as a key: a text would be tried as a private key first, at each login.
 */
export function jwtOptions({ JWT_SECRET: secret }: LoginConfig): JwtModuleOptions {
  const signOptions = { algorithm: 'HS256', keyid: keyId(secret) } as const;
  return { secret: createSecretKey(secret, 'utf8'), signOptions };
}

/** Derives the name of a key from its secret, without revealing it. */
function keyId(secret: string): string {
  return createHmac('sha256', secret).update('key id').digest('base64url').slice(0, 8);
}

/** Finds the key that signed a token; undefined for another `typ` or an unknown `kid`. */
function keyFor(token: string, keys: ReadonlyMap<unknown, KeyObject>): KeyObject | undefined {
  const json = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString();
  const { typ, kid } = (JSON.parse(json) ?? {}) as { typ?: unknown; kid?: unknown };
  return typ === 'JWT' ? keys.get(kid) : undefined;
}

export function sendsBearer({ headers }: IncomingMessage): boolean {
  return SCHEME.test(headers.authorization ?? '');
}

const fromHeader = ExtractJwt.fromAuthHeaderAsBearerToken();

/** Reads the token as RFC 6750 has it: the library takes repeated headers and any white space. */
function tokenOf(request: Request): string | null {
  const { authorization = '' } = request.headers;
  const isValid =
    authorization.length <= MAX_HEADER_LENGTH &&
    CREDENTIALS.test(authorization) &&
    isSentOnce(request, 'authorization');
  return isValid ? fromHeader(request) : null;
}
