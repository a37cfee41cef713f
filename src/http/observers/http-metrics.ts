import type { Request } from 'express';
import { Counter, Histogram } from 'prom-client';
import { declaredErrors } from '../errors/service-error.js';
import type { ClientErrorResponse } from '../connections/client-error.js';
import {
  routeOf,
  sentStatusOf,
  type RequestObserver,
  type TrackedResponse,
} from '../adapter/tracked-response.js';

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

/** Counts and times requests; labels never hold text of a client. */
export class HttpMetrics implements RequestObserver {
  constructor() {
    // Counters begin at 0, so that the first error shows as a rise.
    for (const { code } of declaredErrors) errors.inc({ code }, 0);
  }

  responseClosed(response: TrackedResponse): void {
    const request = response.req as Request;
    const route = routeOf(request);
    const labels = {
      method: route === undefined ? '' : request.method,
      route: route ?? '',
      status: sentStatusOf(response),
    };
    durations.observe(labels, (performance.now() - response.receivedAt) / 1000);
    const code = response.getHeader('X-Error-Code');
    if (typeof code === 'string') errors.inc({ code });
  }

  clientErrorSent({ status, code }: ClientErrorResponse): void {
    durations.observe({ method: '', route: '', status }, 0);
    errors.inc({ code });
  }
}
