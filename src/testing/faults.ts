import { setTimeout as delay } from 'node:timers/promises';
import type { NextFunction, Request, Response } from 'express';
import { declaredErrors, ServiceError } from '../http/errors/service-error.js';
import { STRICT, validateDto } from '../http/validation/request.pipe.js';
import type { UsersService } from '../users/users.service.js';
import { type Fault, FaultsDto } from './fault.dto.js';

type Codes = Readonly<Record<number, string>>;

/** The likeliest code of a status that has several, or that only a proxy sends. */
const CODES: Codes = {
  400: 'invalid_request',
  401: 'token_invalid',
  403: 'restaurant_not_granted',
  502: 'service_unreachable',
  503: 'overloaded',
  504: 'service_timeout',
};
const CODES_OF_LOGIN: Codes = { ...CODES, 401: 'wrong_credentials', 403: 'account_disabled' };

/** Answers as the service, or the proxy in front of it, would with this status. */
class InjectedFault extends ServiceError {
  constructor(status: number, { retry_after }: Fault, url: string) {
    const usual = (url.startsWith('/api/v1/auth/login') ? CODES_OF_LOGIN : CODES)[status];
    const declared = declaredErrors.find((error) => error.status === status)?.code;
    const wait = retry_after ?? (status === 429 || status === 503 ? 1 : undefined);
    super({
      status,
      code: usual ?? declared ?? 'injected_fault',
      text: 'a test asked for this error',
      headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
    });
  }
}

/** Reads whose token a request has, without checking it: the service does that. */
function userIdOf({ headers }: Request): number | undefined {
  const payload = headers.authorization?.split('.')[1] ?? '';
  const claims = Buffer.from(payload, 'base64url').toString();
  return Number(/"sub":"(\d+)"/.exec(claims)?.[1]);
}

/** The faults that wait for requests; each request meets the first one that is meant for it. */
export class Faults {
  private waiting: { left: number; fault: Fault; userId: number | undefined }[] = [];

  /** Replaces the faults that are left; `users` finds those whose names the faults give. */
  async set(faults: unknown, users: Pick<UsersService, 'get'>): Promise<void> {
    const waiting: typeof this.waiting = [];
    for (const fault of (await validateDto(FaultsDto, { faults }, STRICT)).faults) {
      const { username, count = 1 } = fault;
      const userId = username === undefined ? undefined : (await users.get(username)).id;
      waiting.push({ left: count, fault, userId });
    }
    this.waiting = waiting;
  }

  /** Answers a request with the fault that is meant for it. */
  readonly meet = async (request: Request, response: Response, next: NextFunction) => {
    const fault = this.take(request) ?? {};
    const { delay_ms: delayMs = 0, status, lost } = fault;
    if (delayMs > 0) await delay(delayMs);
    if (lost) {
      const lose = (): never => response.destroy() as never;
      Object.assign(response, { write: lose, end: lose });
    }
    next(status && new InjectedFault(status, fault, request.originalUrl));
  };

  private take(request: Request): Fault | undefined {
    const met = this.waiting.find(
      ({ left, fault, userId }) =>
        left > 0 &&
        request.originalUrl.startsWith(fault.path ?? '/api/') &&
        (userId === undefined || userId === userIdOf(request)),
    );
    if (met) met.left--;
    return met?.fault;
  }
}
