import { Counter, Histogram } from 'prom-client';
import { declaredErrors } from '../errors/service-error.js';
import { isEventStream, type RequestObserver, routeOf } from '../requests/track-request.js';

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
