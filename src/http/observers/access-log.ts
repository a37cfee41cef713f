import type { Level } from 'pino';
import type { Log } from '../../logging/log.js';
import {
  type RequestObserver,
  routeOf,
  sentStatusOf,
  type TrackedResponse,
} from '../adapter/tracked-response.js';

/** Paths without a route are logged if they match; they are then too short for a token. */
const LOGGED_PATH = /^[\w./-]{1,64}$/;

/** Makes an observer that logs each request, never its body. */
export function accessLog(log: Log): RequestObserver {
  return (response) => {
    const { req: request } = response;
    const status = sentStatusOf(response);
    const route = routeOf(request);
    const level = levelOf(status, response);
    if (!log.isLevelEnabled(level)) return;
    const user = request.user as { userId?: number; id?: number; username?: string } | undefined;
    const line: Record<string, unknown> = {
      requestId: response.requestId,
      method: request.method || undefined,
      route,
      path: route === undefined ? loggedPath(request.url) : undefined,
      status,
      code: response.getHeader('X-Error-Code'),
      ms: Math.round((performance.now() - response.receivedAt) * 10) / 10,
      userId: user?.userId ?? user?.id,
      username: user?.username ?? undefined,
      bytesIn: Number(request.headers['content-length'] ?? 0) || undefined,
      bytesOut: Number(response.getHeader('content-length') ?? 0) || undefined,
      client: response.clientAddress,
      aborted: response.writableFinished ? undefined : true,
      err: response.failure,
    };
    // See docs/performance.md#log-fields.
    for (const name in response.logFields) line[name] = response.logFields[name];
    log[level](line);
  };
}

/** Chooses the level: a 503 is deliberate, and successful probes are frequent. */
function levelOf(status: number, { isProbe, failure }: TrackedResponse): Level {
  if (status < 400 && failure !== undefined) return 'error'; // it failed halfway
  if (status >= 500) return status === 503 ? 'warn' : 'error';
  if (status >= 400) return 'warn';
  return isProbe ? 'debug' : 'info';
}

function loggedPath(url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? '';
  return LOGGED_PATH.test(path) ? path : undefined;
}
