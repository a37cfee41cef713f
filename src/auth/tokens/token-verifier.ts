import { Injectable } from '@nestjs/common';
import type { Principal } from '../current-user.decorator.js';
import { Keyring, type SigningKey } from './keyring.js';

/** What a rightly signed token says; times in seconds since 1970. */
interface Claims extends Principal {
  readonly expiresAt: number;
  readonly notBefore: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CACHED_TOKENS = 10_000;

/**
 * Judges a token by itself: signature, algorithm, type, claims, time. Whether it was revoked is the database's to say.
 *
 * A signature once found right stays right, so its claims are kept; expiry is judged every time. Verifying anew was
 * seen to cost up to half of the uploads a second. Only tokens that we signed get in, so strangers cannot crowd it.
 */
@Injectable()
export class TokenVerifier {
  private readonly verified = new Map<string, Claims>();

  constructor(private readonly keyring: Keyring) {}

  /** The token's principal; undefined where anything is wrong with it. */
  verify(token: string): Principal | undefined {
    let claims = this.verified.get(token);
    if (!claims) {
      claims = this.readSigned(token);
      if (claims) this.keep(token, claims);
    }
    const now = Date.now() / 1000;
    return claims && claims.expiresAt > now && claims.notBefore <= now ? claims : undefined;
  }

  private readSigned(token: string): Claims | undefined {
    for (const { jwt } of this.candidates(token)) {
      try {
        return readClaims(jwt.verify<Record<string, unknown>>(token));
      } catch {
        continue; // not this key's
      }
    }
    return undefined;
  }

  /** The keys that the header, which anyone may have written, allows. */
  private candidates(token: string): readonly SigningKey[] {
    try {
      const { header } = this.keyring.current.jwt.decode(token, { complete: true });
      return header.typ === 'JWT' ? this.keyring.candidates(header.kid) : [];
    } catch {
      return []; // it has no header, or is no JSON
    }
  }

  private keep(token: string, claims: Claims): void {
    if (this.verified.size >= CACHED_TOKENS) this.verified.delete(this.verified.keys().next().value!);
    this.verified.set(token, claims);
  }
}

function readClaims(payload: Record<string, unknown>): Claims | undefined {
  const { sub, jti, exp, nbf } = payload;
  if (typeof sub !== 'string' || !/^[1-9]\d{0,9}$/.test(sub)) return undefined;
  if (typeof jti !== 'string' || !UUID.test(jti) || typeof exp !== 'number') return undefined;
  if (nbf !== undefined && typeof nbf !== 'number') return undefined;
  return { userId: Number(sub), tokenId: jti, expiresAt: exp, notBefore: nbf ?? 0 };
}
