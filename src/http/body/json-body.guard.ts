import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { LimitsConfig } from '../../config/limits.config.js';
import { NotJson, UnsupportedCharset } from '../errors/http.errors.js';
import { IS_PUBLIC } from '../public.decorator.js';
import { parseJson } from './parse-json.js';
import { readBody, type BodyLimits } from './read-body.js';
import { HAS_UNPARSED_BODY } from './unparsed-body.decorator.js';

/** Lower: no token is needed. */
const PUBLIC_BODY_LIMIT_BYTES = 16_384;

const JSON_TYPE = /^\s*application\/json\s*(?:;(.*))?$/is;
const CHARSET = /(?:^|;)\s*charset\s*=\s*"?([^\s;"]*)/i;
const UTF8_NAMES: readonly (string | undefined)[] = [undefined, 'utf-8', 'utf8', 'us-ascii'];

/** Reads `request.body` as JSON; middleware would run before the token is checked. */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  private readonly limits: BodyLimits;
  private readonly publicLimits: BodyLimits;

  constructor(
    private readonly reflector: Reflector,
    { BODY_LIMIT_BYTES: bytes }: LimitsConfig,
  ) {
    this.limits = { bytes, mayBeCompressed: true };
    this.publicLimits = { bytes: Math.min(bytes, PUBLIC_BODY_LIMIT_BYTES), mayBeCompressed: false };
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    if (this.says(HAS_UNPARSED_BODY, context)) return true;
    if (!hasBody(request)) {
      request.body = {};
      return true;
    }
    const limits = this.says(IS_PUBLIC, context) ? this.publicLimits : this.limits;
    request.body = parseBody(request, await readBody(request, limits));
    return true;
  }

  /** Tells whether a decorator of the route, or of its controller, says so. */
  private says(key: string, context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(key, targets) === true;
  }
}

function hasBody({ headers, method }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** An empty body counts as an empty object. */
function parseBody({ headers }: Request, bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const type = headers['content-type'] ?? '';
  if (type !== 'application/json') assertJson(type);
  return parseJson(bytes);
}

function assertJson(contentType: string): void {
  const match = JSON_TYPE.exec(contentType);
  if (!match) throw new NotJson();
  if (!UTF8_NAMES.includes(CHARSET.exec(match[1] ?? '')?.[1]?.toLowerCase()))
    throw new UnsupportedCharset();
}
