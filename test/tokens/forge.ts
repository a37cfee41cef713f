import { createHmac } from 'node:crypto';
import { TEST_SECRET } from '../support/test-service.js';

/** Base64url, as JSON where it is no text. */
export function encode(part: unknown): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

/** Header and payload of a token, parsed. */
export function decode(token: string): { header: any; payload: any } {
  const [header, payload] = token.split('.').map((part) => Buffer.from(part, 'base64url'));
  return { header: JSON.parse(String(header)), payload: JSON.parse(String(payload)) };
}

/** The header and the payload, rightly signed. */
export function sign(
  header: unknown,
  payload: unknown,
  { secret = TEST_SECRET, hash = 'sha256' } = {},
): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

/** A token like the given one but for these claims, rightly signed; undefined leaves a field out. */
export function resign(token: string, changes: { payload?: object }): string {
  const { header, payload } = decode(token);
  return sign(header, { ...payload, ...changes.payload });
}
