import { setTimeout as delay } from 'node:timers/promises';
import { type DynamicModule, type MiddlewareConsumer, Module } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { declaredErrors, ServiceError } from '../http/errors/service-error.js';
import { validateDto } from '../http/validation/request.pipe.js';
import { type Fault, FaultsDto } from './fault.dto.js';

const CODES_OF_PROXIES: Readonly<Record<number, string>> = {
  502: 'service_unreachable',
  504: 'service_timeout',
};

/** Answers as the service, or the proxy in front of it, would with this status. */
class InjectedFault extends ServiceError {
  constructor(status: number) {
    const declared = declaredErrors.find((error) => error.status === status)?.code;
    super({
      status,
      code: CODES_OF_PROXIES[status] ?? declared ?? 'injected_fault',
      text: 'a test asked for this error',
      headers: status === 429 || status === 503 ? { 'Retry-After': '1' } : {},
    });
  }
}

/** The faults that wait for requests; each request meets the first one that is meant for it. */
export class Faults {
  private waiting: { left: number; fault: Fault }[] = [];

  async set(faults: unknown): Promise<void> {
    const checked = await validateDto(FaultsDto, { faults });
    for (const [index, { status, delay_ms, lost }] of checked.faults.entries())
      if (status === undefined && delay_ms === undefined && lost === undefined)
        throw new Error(`faults[${index}] has none of status, delay_ms and lost`);
    this.waiting = checked.faults.map((fault) => ({ left: fault.count ?? 1, fault }));
  }

  /** A module whose middleware is before the guards of all routes. */
  get module(): DynamicModule {
    const meet = this.meet.bind(this);
    @Module({})
    class FaultsModule {
      configure(consumer: MiddlewareConsumer): void {
        consumer.apply(meet).forRoutes('{*path}');
      }
    }
    return { module: FaultsModule };
  }

  private async meet(request: Request, response: Response, next: NextFunction): Promise<void> {
    const { delay_ms: delayMs = 0, status, lost } = this.take(request.originalUrl) ?? {};
    if (delayMs > 0) await delay(delayMs);
    if (lost) {
      const lose = (): never => response.destroy() as never;
      Object.assign(response, { write: lose, end: lose });
    }
    next(status && new InjectedFault(status));
  }

  private take(url: string): Fault | undefined {
    const met = this.waiting.find(
      ({ left, fault }) => left > 0 && url.startsWith(fault.path ?? '/api/'),
    );
    if (met) met.left--;
    return met?.fault;
  }
}
