import { createHmac } from 'node:crypto';
import type { Request } from 'express';
import type { Credentials } from '../../users/credentials.service.js';

/** Times in milliseconds. */
export interface LoginThrottle {
  readonly name: 'pair' | 'username' | 'address';
  readonly key: string;
  readonly limit: number;
  readonly ttl: number;
  readonly blockDuration: number;
}

export interface LoginAttempt {
  readonly credentials: Credentials;
  /** `user:17`, or `name:` and a keyed hash. */
  readonly accountKey: string;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly ipPrefix: string;
  readonly clientAddress: string;
  /** The user logged in from there before. */
  readonly known: boolean;
  /** Set by the throttler guard. */
  readonly throttles: LoginThrottle[];
  /** Of `performance.now()`. */
  readonly deadline: number;
}

export interface LoginRequest extends Request {
  body: { readonly username: string; readonly password: string };
  loginAttempt?: LoginAttempt;
}

/** An unknown name may be a password: hashed, keyed against guessing. */
export function accountKey({ account }: Credentials, username: string, secret: string): string {
  if (account) return userAccountKey(account.id);
  const hash = createHmac('sha256', secret).update(`login subject\0${username}`).digest('base64url');
  return `name:${hash.slice(0, 22)}`;
}

export function userAccountKey(id: number): string {
  return `user:${id}`;
}
