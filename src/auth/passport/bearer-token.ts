import type { Request } from 'express';
import { isSentOnce } from '../../http/server/headers.js';

const SCHEME = /^bearer(?: |$)/i;
const BEARER = /^bearer +([\w~+/.-]+=*) *$/i;

export function sendsBearer({ headers }: Request): boolean {
  return headers.authorization !== undefined && SCHEME.test(headers.authorization);
}

/** RFC 6750 section 2.1: null without a token, '' if invalid. */
export function bearerToken(request: Request): string | null {
  if (!sendsBearer(request)) return null;
  return isSentOnce(request, 'authorization') ? (BEARER.exec(request.headers.authorization!)?.[1] ?? '') : '';
}
