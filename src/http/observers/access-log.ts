import type { Request } from 'express';
import type { Level } from 'pino';
import type { Log } from '../../logging/log.js';
import { clientAddress } from '../adapter/client-address.decorator.js';
import type { ClientErrorResponse } from '../connections/client-error.js';
import {
  routeOf,
  sentStatusOf,
  type RequestObserver,
  type TrackedResponse,
} from '../adapter/tracked-response.js';

/** Paths without a route are logged if they match; they are then too short for a token. */
const LOGGED_PATH = /^[\w./-]{1,64}$/;

/** Logs each request, never its body. */
export class AccessLog implements RequestObserver {
  constructor(private readonly log: Log) {}

  responseClosed(response: TrackedResponse): void {
    const request = response.req as Request;
    const status = sentStatusOf(response);
    const route = routeOf(request);
    const level = levelOf(status, route);
    if (!this.log.isLevelEnabled(level)) return;
    const user = request.user as { userId?: number; id?: number } | undefined;
    const line: Record<string, unknown> = {
      requestId: response.requestId,
      method: request.method,
      route,
      path: route === undefined ? loggedPath(request.url) : undefined,
      status,
      ms: Math.round((performance.now() - response.receivedAt) * 10) / 10,
      userId: user?.userId ?? user?.id,
      bytesIn: toNumber(request.headers['content-length']),
      bytesOut: toNumber(response.getHeader('content-length')),
      client: clientAddress(request),
      aborted: response.writableFinished ? undefined : true,
      err: response.failure,
    };
    // See docs/performance.md#log-fields.
    for (const name in response.logFields) line[name] = response.logFields[name];
    this.log[level](line);
  }

  clientErrorSent({ requestId, status, clientAddress: client }: ClientErrorResponse): void {
    this.log.warn({ requestId, status, client });
  }
}

/** Chooses the level: a 503 is deliberate, and successful probes are frequent. */
function levelOf(status: number, route: string | undefined): Level {
  if (status >= 500) return status === 503 ? 'warn' : 'error';
  if (status >= 400) return 'warn';
  return route?.startsWith('/health/') === true ? 'debug' : 'info';
}

function loggedPath(url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? '';
  return LOGGED_PATH.test(path) ? path : undefined;
}

function toNumber(header: unknown): number | undefined {
  return header === undefined ? undefined : Number(header);
}
