import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { IS_PUBLIC } from '../public.decorator.js';
import { isProbe, type JsonExpressAdapter } from './json-express.adapter.js';
import type { Tracking } from './tracked-response.js';

/** Admits as many requests as there are slots. Unauthenticated clients cannot take those of the others. */
export class SlotGuard implements CanActivate {
  constructor(
    private readonly adapter: JsonExpressAdapter,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (isProbe(request)) return true;
    const isPublic = this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [context.getHandler(), context.getClass()]);
    const { publicSlots, slots } = this.adapter;
    const limiter = isPublic ? publicSlots : slots;
    if (limiter.acquire(http.getResponse<Response & Tracking>())) return true;
    throw this.adapter.overload(request);
  }
}
