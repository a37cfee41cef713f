import type { Request } from 'express';

const SCHEME = /^bearer(?: |$)/i;
const BEARER = /^bearer +([\w~+/.-]+=*) *$/i;

export function sendsBearer({ headers }: Request): boolean {
  return headers.authorization !== undefined && SCHEME.test(headers.authorization);
}

/** RFC 6750 section 2.1: null without a token, '' if invalid. */
export function bearerToken(request: Request): string | null {
  if (!sendsBearer(request)) return null;
  return isSentOnce(request.rawHeaders) ? (BEARER.exec(request.headers.authorization!)?.[1] ?? '') : '';
}

/** Node keeps the first of several. */
function isSentOnce(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 13 && rawHeaders[index]?.toLowerCase() === 'authorization') count++;
  }
  return count === 1;
}
