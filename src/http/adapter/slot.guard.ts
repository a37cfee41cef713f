import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Overloaded } from '../errors/http.errors.js';
import type { JsonExpressAdapter } from './json-express.adapter.js';
import { needsNoSlot } from './request-slots.js';
import type { TrackedFields } from './tracked-response.js';

/** Takes a slot for the request: clients without a token have slots of their own. */
@Injectable()
export class SlotGuard implements CanActivate {
  constructor(private readonly adapterHost: HttpAdapterHost<JsonExpressAdapter>) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { slots, anonymousSlots } = this.adapterHost.httpAdapter;
    const ownSlots = request.user ? slots : anonymousSlots;
    if (needsNoSlot(request) || ownSlots.acquire(http.getResponse<Response & TrackedFields>()))
      return true;
    throw new Overloaded();
  }
}
