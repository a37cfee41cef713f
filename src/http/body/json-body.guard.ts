import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { LimitsConfig } from '../../config/limits.config.js';
import { IS_PUBLIC } from '../public.decorator.js';
import { readJson, type BodyLimits } from './read-body.js';
import { HAS_UNPARSED_BODY } from './unparsed-body.decorator.js';

/** Limit of bodies that need no token, which is therefore lower. */
const PUBLIC_BODY_LIMIT_BYTES = 16_384;

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
    if (this.says(HAS_UNPARSED_BODY, context)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const limits = this.says(IS_PUBLIC, context) ? this.publicLimits : this.limits;
    request.body = hasBody(request) ? await readJson(request, limits) : {};
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
