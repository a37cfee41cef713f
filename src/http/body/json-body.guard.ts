import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { LimitsConfig } from '../../config/limits.config.js';
import { IS_PUBLIC } from '../public.decorator.js';
import { readJson } from './read-body.js';

/** Leaves the body to `FileInterceptor` or another reader, which sets limits of its own. */
export const UnparsedBody = Reflector.createDecorator<boolean>({ transform: () => true });

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
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride(UnparsedBody, targets)) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    request.body = undefined;
    if (!hasBody(request)) return true;
    const isPublic = this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, targets);
    const { BODY_LIMIT_BYTES: limit } = this.config;
    const maxBytes = isPublic ? Math.min(limit, PUBLIC_BODY_LIMIT_BYTES) : limit;
    const isArriving = !request.complete;
    request.body = await readJson(request, maxBytes, !isPublic);
    if (isArriving) http.getResponse<Response>().locals.timer.refresh();
    return true;
  }
}

function hasBody({ headers, method }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
