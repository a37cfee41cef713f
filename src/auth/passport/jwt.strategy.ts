import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import { Principal } from '../current-user.decorator.js';
import { Keyring } from '../tokens/keyring.js';
import { bearerToken } from './bearer-token.js';

type DoneWithKey = (error: null, key: KeyObject | undefined) => void;

const SUBJECT = /^[1-9]\d{0,9}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(private readonly keyring: Keyring) {
    super({
      jwtFromRequest: bearerToken,
      algorithms: ['HS256'],
      ignoreExpiration: true, // validate() checks it, by the clock of tests too
      // The library's types omit KeyObject.
      secretOrKeyProvider: (_request, token: string, done) => (done as DoneWithKey)(null, keyring.keyFor(token)),
    });
  }

  /** jsonwebtoken throws on a payload of `null`. See docs/performance.md#error-stacks. */
  override authenticate(request: Request): void {
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
  validate({ sub, jti, exp }: Record<string, unknown>): Principal | undefined {
    if (typeof sub !== 'string' || !SUBJECT.test(sub)) return undefined;
    if (typeof jti !== 'string' || !UUID.test(jti)) return undefined;
    if (typeof exp !== 'number' || exp <= this.keyring.now()) return undefined;
    return new Principal(Number(sub), jti);
  }
}
