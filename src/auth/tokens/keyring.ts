import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { AppConfig } from '../../config/app-config.js';
import { Clock } from '../../config/business-calendar.js';

/** Signs tokens, finds the keys to verify them, and gives the time by which they expire. */
@Injectable()
export class Keyring {
  /** By `kid`. */
  private readonly keys: ReadonlyMap<unknown, KeyObject>;
  private readonly jwt: JwtService;

  constructor(
    { JWT_SECRET, JWT_PREVIOUS_SECRET }: AppConfig,
    private readonly clock: Clock,
  ) {
    const secrets = [JWT_SECRET, JWT_PREVIOUS_SECRET].filter((secret) => secret !== '');
    this.keys = new Map(secrets.map((secret) => [keyId(secret), createSecretKey(secret, 'utf8')]));
    this.jwt = new JwtService({
      secret: this.keys.get(keyId(JWT_SECRET))!,
      signOptions: { algorithm: 'HS256', keyid: keyId(JWT_SECRET) },
    });
  }

  sign(claims: object): string {
    return this.jwt.sign(claims);
  }

  /** Seconds since 1970. */
  now(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  /** Whatever the claims are. */
  isSigned(token: string): boolean {
    const verifyOptions = { algorithms: ['HS256' as const], ignoreExpiration: true };
    try {
      return Boolean(new JwtService({ secret: this.keyFor(token)!, verifyOptions }).verify(token));
    } catch {
      return false;
    }
  }

  /** Undefined for another `typ` or an unknown `kid`. */
  keyFor(token: string): KeyObject | undefined {
    const { typ, kid } = headerOf(token);
    return typ === 'JWT' ? this.keys.get(kid) : undefined;
  }
}

function headerOf(token: string): { typ?: unknown; kid?: unknown } {
  const json = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString();
  return (JSON.parse(json) as object | null) ?? {};
}

/** Keyed with the secret, so that it reveals nothing. */
function keyId(secret: string): string {
  return createHmac('sha256', secret).update('key id').digest('base64url').slice(0, 8);
}
