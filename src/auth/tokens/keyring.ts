import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { JwtModuleOptions } from '@nestjs/jwt';
import { Clock } from '../../config/business-calendar.js';
import { LoginConfig } from '../../config/login.config.js';

/** Finds the keys that verify tokens, and gives the time by which tokens expire. */
@Injectable()
export class Keyring {
  /** By `kid`. */
  private readonly keys: ReadonlyMap<unknown, KeyObject>;

  constructor(
    { JWT_SECRET, JWT_PREVIOUS_SECRET }: LoginConfig,
    private readonly clock: Clock,
  ) {
    const secrets = [JWT_SECRET, JWT_PREVIOUS_SECRET].filter((secret) => secret !== '');
    this.keys = new Map(secrets.map((secret) => [keyId(secret), createSecretKey(secret, 'utf8')]));
  }

  /** Seconds since 1970. */
  now(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  /** Undefined for another `typ` or an unknown `kid`. */
  keyFor(token: string): KeyObject | undefined {
    const { typ, kid } = headerOf(token);
    return typ === 'JWT' ? this.keys.get(kid) : undefined;
  }
}

/** New tokens are signed with the current secret. */
export function jwtOptions({ JWT_SECRET: secret }: LoginConfig): JwtModuleOptions {
  return { secret, signOptions: { algorithm: 'HS256', keyid: keyId(secret) } };
}

function headerOf(token: string): { typ?: unknown; kid?: unknown } {
  const json = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString();
  return (JSON.parse(json) as object | null) ?? {};
}

/** Keyed with the secret, so that it reveals nothing. */
function keyId(secret: string): string {
  return createHmac('sha256', secret).update('key id').digest('base64url').slice(0, 8);
}
