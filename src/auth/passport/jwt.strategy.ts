import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import { isSentOnce } from '../../http/server/headers.js';
import { Principal } from '../current-user.decorator.js';
import { Keyring } from '../tokens/keyring.js';

type DoneWithKey = (error: null, key: KeyObject | undefined) => void;

/** Issued ones have 300 characters; verifying parses all. */
const MAX_HEADER_LENGTH = 2048;
const SCHEME = /^bearer(?: |$)/i;
const BEARER = /^bearer +([\w~+/.-]+=*) *$/i;
const SUBJECT = /^[1-9]\d{0,9}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const MAX_VERIFIED_TOKENS = 10_000;

interface VerifiedClaims {
  readonly userId: number;
  readonly tokenId: string;
  readonly exp: number;
}

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  /** By token, oldest first; see docs/performance.md#token-cache */
  private readonly verified = new Map<string, VerifiedClaims>();

  constructor(private readonly keyring: Keyring) {
    super({
      jwtFromRequest: bearerToken,
      algorithms: ['HS256'],
      passReqToCallback: true,
      ignoreExpiration: true, // validate() checks it, by the clock of tests too
      // The library's types omit KeyObject.
      secretOrKeyProvider: (_request, token: string, done) => (done as DoneWithKey)(null, keyring.keyFor(token)),
    });
  }

  /** jsonwebtoken throws on a payload of `null`. See docs/performance.md#error-stacks. */
  override authenticate(request: Request): void {
    const claims = this.verified.get(bearerToken(request) ?? '');
    if (claims && claims.exp > this.keyring.now()) {
      this.success(new Principal(claims.userId, claims.tokenId));
      return;
    }
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      super.authenticate(request);
    } catch {
      this.fail(401);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  /** passport-jwt verified `nbf`, if present. */
  validate(request: Request, { sub, jti, exp }: Record<string, unknown>): Principal | undefined {
    if (typeof sub !== 'string' || !SUBJECT.test(sub)) return undefined;
    if (typeof jti !== 'string' || !UUID.test(jti)) return undefined;
    if (typeof exp !== 'number' || exp <= this.keyring.now()) return undefined;
    this.remember(bearerToken(request)!, { userId: Number(sub), tokenId: jti, exp });
    return new Principal(Number(sub), jti);
  }

  private remember(token: string, claims: VerifiedClaims): void {
    if (this.verified.size >= MAX_VERIFIED_TOKENS) this.verified.delete(this.verified.keys().next().value!);
    this.verified.set(token, claims);
  }
}

export function sendsBearer({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined && SCHEME.test(headers.authorization);
}

/** RFC 6750 section 2.1: null without a token, '' if invalid. */
export function bearerToken(request: IncomingMessage): string | null {
  if (!sendsBearer(request)) return null;
  const isValid = request.headers.authorization!.length <= MAX_HEADER_LENGTH && isSentOnce(request, 'authorization');
  return isValid ? (BEARER.exec(request.headers.authorization!)?.[1] ?? '') : '';
}
