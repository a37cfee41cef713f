import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import { TokenInvalid } from '../auth.errors.js';
import type { Principal } from '../current-user.decorator.js';
import { TokenVerifier } from '../tokens/token-verifier.js';
import { bearerToken } from './bearer-token.js';

/** What passport-jwt calls with a token and what the strategy's `secretOrKeyProvider` gave: here a verifier, not a key. */
function verifyWith(
  token: string,
  verifier: TokenVerifier,
  _options: unknown,
  done: (error: Error | null, principal?: Principal) => void,
): void {
  const principal = verifier.verify(token);
  if (principal) done(null, principal);
  else done(new TokenInvalid());
}
Object.assign(Strategy, { JwtVerifier: verifyWith }); // passport-jwt's own seam: its verifier builds a key a request

/** Admits the bearer of a token that this service signed and that lasts. Whether it was revoked, the guard asks. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(verifier: TokenVerifier) {
    super({
      jwtFromRequest: bearerToken,
      secretOrKeyProvider: (_request, _token, done) => done(null, verifier as never), // handed on to verifyWith
    });
  }

  validate(principal: Principal): Principal {
    return principal;
  }
}
