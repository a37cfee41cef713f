import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { LimitsConfig } from '../../config/limits.config.js';
import { gauge } from '../../metrics/gauge.js';
import { Overloaded } from '../errors/http.errors.js';
import { Probe } from './probe.decorator.js';

/** Milliseconds that the work for a client that is gone or was answered keeps its slot at most. */
const MAX_ABANDONED_MS = 10_000;

/**
 * Limits how many requests are in work, those of disconnected clients included: those without a
 * token apart, which therefore cannot take the slots of the others. Probes need none.
 */
@Injectable()
export class SlotGuard implements CanActivate {
  readonly inFlight = { signed: 0, anonymous: 0 };
  private readonly maximum: Readonly<SlotGuard['inFlight']>;

  constructor(
    private readonly reflector: Reflector,
    { MAX_IN_FLIGHT: signed }: LimitsConfig,
  ) {
    this.maximum = { signed, anonymous: Math.ceil(0.3 * signed) };
    const count = (): number => this.inFlight.signed + this.inFlight.anonymous;
    gauge('http_requests_in_flight', 'Requests that are being processed', count);
  }

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const { locals } = response;
    const targets = [context.getHandler(), context.getClass()];
    locals.isProbe = this.reflector.getAllAndOverride<true | undefined>(Probe, targets) === true;
    if (locals.isProbe) return true;
    const kind = http.getRequest<Request>().user ? 'signed' : 'anonymous';
    if (this.inFlight[kind] >= this.maximum[kind]) throw new Overloaded();
    this.inFlight[kind]++;
    const release = (): void => {
      if (locals.releaseSlot) this.inFlight[kind]--;
      locals.releaseSlot = undefined;
    };
    locals.releaseSlot = release;
    response.on('close', () => {
      if (response.writableEnded && !locals.isLate) release();
      else setTimeout(release, MAX_ABANDONED_MS).unref();
    });
    return true;
  }
}
