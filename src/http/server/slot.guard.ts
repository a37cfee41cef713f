import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isProbe } from '../routes.js';
import type { JsonExpressAdapter } from './json-express.adapter.js';
import type { Tracking } from './tracked-response.js';

/** Limits concurrent requests; unauthenticated clients have separate slots. */
export class SlotGuard implements CanActivate {
  constructor(private readonly adapter: JsonExpressAdapter) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (isProbe(request)) return true;
    const limiter = request.user ? this.adapter.slots : this.adapter.publicSlots;
    if (limiter.acquire(http.getResponse<Response & Tracking>())) return true;
    throw this.adapter.overload(request);
  }
}
