import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Overloaded } from '../errors/http.errors.js';
import type { JsonExpressAdapter } from './json-express.adapter.js';
import { Probe } from './probe.decorator.js';
import type { TrackedFields } from './tracked-response.js';

/** Takes a slot for the request, an anonymous one without a token; probes need none. */
@Injectable()
export class SlotGuard implements CanActivate {
  constructor(
    private readonly adapterHost: HttpAdapterHost<JsonExpressAdapter>,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const response = http.getResponse<Response & TrackedFields>();
    const targets = [context.getHandler(), context.getClass()];
    const { slots, anonymousSlots } = this.adapterHost.httpAdapter;
    response.isProbe =
      this.reflector.getAllAndOverride<boolean | undefined>(Probe.KEY, targets) === true;
    const ownSlots = http.getRequest<Request>().user ? slots : anonymousSlots;
    if (response.isProbe || ownSlots.acquire(response)) return true;
    throw new Overloaded();
  }
}
