import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { NotJson, UnsupportedCharset } from '../errors/http.errors.js';
import { IS_PUBLIC } from '../public.decorator.js';
import { parseJson } from './parse-json.js';
import { readBody, type BodyLimits } from './read-body.js';

/** Lower: no token is needed. */
const PUBLIC_BODY_LIMIT_BYTES = 16_384;
/** A scan of so many characters for an error takes less time than parsing; see docs/performance.md#json-errors */
const PUBLIC_MAX_SCANNED = 512;

const JSON_TYPE = /^\s*application\/json\s*(?:;(.*))?$/is;
const CHARSET = /(?:^|;)\s*charset\s*=\s*"?([^\s;"]*)/i;
const UTF8_NAMES: readonly (string | undefined)[] = [undefined, 'utf-8', 'utf8', 'us-ascii'];

/** Reads `request.body` as JSON; middleware would run before the token is checked. */
export class JsonBodyGuard implements CanActivate {
  private readonly reflector = new Reflector();
  private readonly limits: BodyLimits;
  private readonly publicLimits: BodyLimits;

  constructor({ BODY_LIMIT_BYTES: bytes }: { readonly BODY_LIMIT_BYTES: number }) {
    this.limits = { bytes, mayBeCompressed: true };
    this.publicLimits = { bytes: Math.min(bytes, PUBLIC_BODY_LIMIT_BYTES), mayBeCompressed: false };
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    if (hasBody(request)) {
      const isPublic = this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [context.getHandler(), context.getClass()]);
      const bytes = await readBody(request, isPublic ? this.publicLimits : this.limits);
      request.body = parseBody(request, bytes, isPublic ? PUBLIC_MAX_SCANNED : undefined);
    } else request.body = {};
    return true;
  }
}

function hasBody({ headers, method }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** An empty body counts as an empty object. */
function parseBody({ headers }: Request, bytes: Buffer, maxScannedLength?: number): unknown {
  if (bytes.length === 0) return {};
  const type = headers['content-type'] ?? '';
  if (type !== 'application/json') assertJson(type);
  return parseJson(bytes, maxScannedLength);
}

function assertJson(contentType: string): void {
  const match = JSON_TYPE.exec(contentType);
  if (!match) throw new NotJson();
  if (!UTF8_NAMES.includes(CHARSET.exec(match[1] ?? '')?.[1]?.toLowerCase())) throw new UnsupportedCharset();
}
