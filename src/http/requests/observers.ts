import type { ServerResponse } from 'node:http';
import type { Level } from 'pino';
import { Counter, Histogram } from 'prom-client';
import type { Log } from '../../logging/log.js';
import { declaredErrors } from '../errors/service-error.js';
import { type FinishedRequest, type RequestObserver, routeOf } from './track-request.js';

/** Paths without a route are logged if they match; they are then too short for a token. */
const LOGGED_PATH = /^[\w./-]{1,64}$/;

/** Makes an observer that logs each request, never its body. */
export function accessLog(log: Log): RequestObserver {
  return (finished) => {
    const { requestId, status, code, ms, clientAddress, response } = finished;
    const level = levelOf(finished);
    if (!log.isLevelEnabled(level)) return;
    const request = response?.req;
    const route = request && routeOf(request);
    const user = request?.user as { userId?: number; id?: number; username?: string } | undefined;
    const line: Record<string, unknown> = {
      requestId,
      method: request?.method,
      route,
      path: request && route === undefined ? loggedPath(request.url) : undefined,
      status,
      code,
      ms: Math.round(ms * 10) / 10,
      userId: user?.userId ?? user?.id,
      username: user?.username ?? undefined,
      bytesIn: Number(request?.headers['content-length'] ?? 0) || undefined,
      bytesOut: Number(response?.getHeader('content-length') ?? 0) || undefined,
      client: clientAddress,
      aborted: !response || response.writableFinished ? undefined : true,
      err: response?.locals.failure,
      ...response?.locals.logFields,
    };
    log[level](line);
  };
}

/** Chooses the level: a 503 is deliberate, and successful probes are frequent. */
function levelOf({ status, response }: FinishedRequest): Level {
  if (status < 400 && response?.locals.failure !== undefined) return 'error'; // it failed halfway
  if (status >= 500) return status === 503 ? 'warn' : 'error';
  if (status >= 400) return 'warn';
  return response?.locals.isProbe ? 'debug' : 'info';
}

function loggedPath(url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? '';
  return LOGGED_PATH.test(path) ? path : undefined;
}

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Duration of requests from the end of their headers to the end of the response',
  labelNames: ['method', 'route', 'status'],
});

const errors = new Counter({
  name: 'http_errors_total',
  help: 'Error responses by their X-Error-Code',
  labelNames: ['code'],
});

/** Makes an observer that counts and times requests; labels never hold text of a client. */
export function httpMetrics(): RequestObserver {
  // Counters begin at 0, so that the first error shows as a rise.
  for (const { code } of declaredErrors) errors.inc({ code }, 0);
  return ({ status, code, ms, response }) => {
    const route = response && routeOf(response.req);
    const method = route === undefined ? '' : response!.req.method;
    // The duration of a stream says nothing about the service.
    if (!response || !isEventStream(response))
      durations.observe({ method, route: route ?? '', status }, ms / 1000);
    if (code !== undefined) errors.inc({ code });
  };
}

/** Says whether a response is of server-sent events, which last as long as their client wants. */
export function isEventStream(response: ServerResponse): boolean {
  return /^text\/event-stream/.test(String(response.getHeader('Content-Type')));
}

/** Makes an observer for a service that trusts no proxy: it warns once if one is in front. */
export function warnOfUntrustedProxy(log: Log): RequestObserver {
  let isTold = false;
  return ({ response }) => {
    if (isTold || response?.req.headers['x-forwarded-for'] === undefined) return;
    isTold = true;
    log.warn(
      `X-Forwarded-For came from ${response.req.socket.remoteAddress ?? 'an address'}, and TRUST_PROXY is empty: ` +
        'if a proxy is there, set TRUST_PROXY to it, or all clients share the limits of one',
    );
  };
}
