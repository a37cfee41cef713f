import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Strict-Transport-Security is left to the TLS proxy: RFC 6797 section 8.1. */
export const CONSTANT_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
];

export function setConstantHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('X-Request-Id', requestId);
  for (const [name, value] of CONSTANT_HEADERS) response.setHeader(name, value);
}

export function requestIdFrom(headers: IncomingHttpHeaders): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** HTTP/1.0 needs no Host. */
export function hasValidHost(request: IncomingMessage): boolean {
  return request.headers.host === undefined ? request.httpVersion === '1.0' : isSentOnce(request, 'host');
}

/** `headers` has the first of several; the name is in lower case. */
export function isSentOnce({ rawHeaders }: IncomingMessage, name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]!;
    if (sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count === 1;
}

/** Returns the body as it is sent. RFC 9110 sections 6.4.1 and 8.6: a 204 or 304 has no body. */
export function setContentHeaders(response: ServerResponse, body: unknown): string | Uint8Array {
  if (response.statusCode === 204 || response.statusCode === 304) {
    response.removeHeader('Content-Type');
    return '';
  }
  const isSerialized = typeof body === 'string' || body instanceof Uint8Array;
  const text = isSerialized ? body : JSON.stringify(body ?? {});
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  return text;
}
