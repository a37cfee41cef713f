import { Counter, Histogram } from 'prom-client';
import { type RequestObserver, routeOf, sentStatusOf } from '../adapter/tracked-response.js';
import { isEventStream } from '../connections/connection.js';
import { declaredErrors } from '../errors/service-error.js';

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
  return (response) => {
    const route = routeOf(response.req);
    const labels = {
      method: route === undefined ? '' : response.req.method,
      route: route ?? '',
      status: sentStatusOf(response),
    };
    // The duration of a stream says nothing about the service.
    if (!isEventStream(response))
      durations.observe(labels, (performance.now() - response.receivedAt) / 1000);
    const code = response.getHeader('X-Error-Code');
    if (typeof code === 'string') errors.inc({ code });
  };
}
