import type { ServerResponse } from 'node:http';

/**
 * What every answer carries, whoever gives it: answers are figures, tokens or errors, for programs and for nobody's
 * cache. Helmet's other headers guard pages, and there are none. Strict-Transport-Security is the TLS proxy's to send:
 * browsers ignore it where it comes without TLS (RFC 6797 section 8.1), as it would from here.
 */
export const CONSTANT_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
];

/** Sets them, and the request's id. */
export function setConstantHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('X-Request-Id', requestId);
  for (const [name, value] of CONSTANT_HEADERS) response.setHeader(name, value);
}
