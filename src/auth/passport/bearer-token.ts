import type { Request } from 'express';

const SCHEME = /^bearer(?: |$)/i;
const BEARER = /^bearer +([\w~+/.-]+=*) *$/i;

/** Whether the request says that it brings a token, whatever that may be worth. */
export function sendsBearer({ headers }: Request): boolean {
  return headers.authorization !== undefined && SCHEME.test(headers.authorization);
}

/**
 * The token of the Authorization header (RFC 6750 section 2.1; the scheme's name in any case, RFC 9110 section 11.1).
 * null where no token was sent; '' where what was sent cannot be one, two such headers included.
 */
export function bearerToken(request: Request): string | null {
  if (!sendsBearer(request)) return null;
  return isSentOnce(request.rawHeaders) ? (BEARER.exec(request.headers.authorization!)?.[1] ?? '') : '';
}

/** Node keeps the first of several and says nothing. */
function isSentOnce(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 13 && rawHeaders[index]?.toLowerCase() === 'authorization') count++;
  }
  return count === 1;
}
