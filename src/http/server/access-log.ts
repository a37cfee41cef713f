import type { Request } from 'express';
import { clientAddress } from './client-address.js';
import type { TrackedResponse } from './tracked-response.js';
import type { ClientErrorResponse, RequestObserver } from './request-observer.js';
import type { Log } from '../../logging/log.js';
import { routeOf } from './route-of.js';
import { statusOf } from './status-of.js';

/** A path that is told where no route serves it: too short for a token, and never the query. */
const TELLABLE_PATH = /^[\w./-]{1,64}$/;

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Writes one line a request: who did what with which outcome, and nothing of what was sent. */
export class AccessLog implements RequestObserver {
  constructor(private readonly log: Log) {}

  answered(response: TrackedResponse): void {
    const request = response.req as Request;
    const status = statusOf(response);
    const route = routeOf(request);
    const level = levelOf(status, route);
    if (!this.log.isLevelEnabled(level)) return;
    const user = request.user as { userId?: number; id?: number } | undefined;
    this.log[level]({
      requestId: response.requestId,
      method: request.method,
      route,
      path: route === undefined ? tellablePath(request.url) : undefined,
      status,
      ms: Math.round((performance.now() - response.receivedAt) * 10) / 10,
      userId: user?.userId ?? user?.id,
      restaurant: response.logFields.restaurant,
      login: response.logFields.login,
      bytesIn: toNumber(request.headers['content-length']),
      bytesOut: toNumber(response.getHeader('content-length')),
      client: clientAddress(request),
      aborted: response.writableFinished || response.rawStatus !== undefined ? undefined : true,
      err: response.failure,
    });
  }

  clientErrorSent({ requestId, status, clientAddress: client }: ClientErrorResponse): void {
    this.log.warn({ requestId, status, client });
  }
}

/** 5xx calls somebody; a 503 is the service's own choice, and a probe that succeeds is no news. */
function levelOf(status: number, route: string | undefined): Level {
  if (status >= 500) return status === 503 ? 'warn' : 'error';
  if (status >= 400) return 'warn';
  return route?.startsWith('/health/') === true ? 'debug' : 'info';
}

function tellablePath(url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? '';
  return TELLABLE_PATH.test(path) ? path : undefined;
}

function toNumber(header: unknown): number | undefined {
  return header === undefined ? undefined : Number(header);
}
