import type { Level } from 'pino';
import type { Log } from '../../logging/log.js';
import { type FinishedRequest, type RequestObserver, routeOf } from '../requests/track-request.js';

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
