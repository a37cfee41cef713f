import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';
import type { Credentials } from '../../users/credentials.service.js';

/** Who tries to log in, and from where. */
export interface LoginIdentity {
  readonly credentials: Credentials;
  /** `user:17`, or `name:` and a keyed hash of an unknown username: safe to log. */
  readonly accountKey: string;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly ipPrefix: string;
  readonly clientAddress: string;
}

/** One throttler's counter for a login; times in milliseconds. */
export interface LoginThrottle {
  readonly name: 'pair' | 'username' | 'address';
  readonly key: string;
  readonly limit: number;
  readonly ttl: number;
  readonly blockDuration: number;
}

export interface LoginAttempt extends LoginIdentity {
  /** Whether the user logged in from this prefix within LOGIN_KNOWN_ADDRESS_DAYS. */
  readonly known: boolean;
  /** Filled in by the throttler guard. */
  readonly throttles: LoginThrottle[];
  /** `performance.now()` after which the login waits no more. */
  readonly deadline: number;
}

/** A login request after validation; the throttler guard adds the attempt. */
export interface LoginRequest extends Request {
  body: { readonly username: string };
  loginAttempt?: LoginAttempt;
}

/** People type passwords into the username field, so an unknown name is hashed; the key prevents guessing offline. */
export function accountKey({ account }: Credentials, username: string, secret: string): string {
  if (account) return userAccountKey(account.id);
  const hash = createHmac('sha256', secret).update(`login subject\0${username}`).digest('base64url');
  return `name:${hash.slice(0, 22)}`;
}

export function userAccountKey(id: number): string {
  return `user:${id}`;
}

/** Whatever is not an IP address counts as one, `unknown`: a client must not escape by inventing addresses. */
export function ipPrefix(address: string): string {
  const bare = address.split('%')[0]!; // a zone, fe80::1%eth0
  return isIP(bare) === 0 ? 'unknown' : normalizeIp(bare);
}
