import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request } from 'express';
import { Overloaded } from '../errors/http.errors.js';
import type { JsonExpressAdapter } from './json-express.adapter.js';

/** Takes a slot for the request, an anonymous one without a token; health checks need none. */
@Injectable()
export class SlotGuard implements CanActivate {
  constructor(private readonly adapterHost: HttpAdapterHost<JsonExpressAdapter>) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { user, path } = http.getRequest<Request>();
    const { slots, anonymousSlots } = this.adapterHost.httpAdapter;
    const ownSlots = user ? slots : anonymousSlots;
    if (path.startsWith('/health/') || ownSlots.acquire(http.getResponse())) return true;
    throw new Overloaded();
  }
}
