import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { LimitsConfig } from '../../config/limits.config.js';
import { IS_PUBLIC } from '../public.decorator.js';
import { readJson } from './read-body.js';

const HAS_UNPARSED_BODY = 'hasUnparsedBody';

/** Leaves the body to `FileInterceptor` or another reader, which sets limits of its own. */
export const UnparsedBody = () => SetMetadata(HAS_UNPARSED_BODY, true);

/** Limit of bodies that need no token, which is therefore lower. */
const PUBLIC_BODY_LIMIT_BYTES = 16_384;

/**
 * Reads `request.body` as JSON, undefined if it is empty; middleware would run before the token is
 * checked.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: LimitsConfig,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.isMarked(HAS_UNPARSED_BODY, context)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    request.body = undefined;
    if (!hasBody(request)) return true;
    const isPublic = this.isMarked(IS_PUBLIC, context);
    const { BODY_LIMIT_BYTES: limit } = this.config;
    const maxBytes = isPublic ? Math.min(limit, PUBLIC_BODY_LIMIT_BYTES) : limit;
    request.body = await readJson(request, maxBytes, !isPublic);
    return true;
  }

  /** Tells whether a decorator has marked the route or its controller. */
  private isMarked(key: string, context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(key, targets) === true;
  }
}

function hasBody({ headers, method }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
