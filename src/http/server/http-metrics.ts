import type { Request } from 'express';
import { Histogram } from 'prom-client';
import type { TrackedResponse } from './tracked-response.js';
import type { ClientErrorResponse, RequestObserver } from './request-observer.js';
import { routeOf } from './route-of.js';
import { statusOf } from './status-of.js';

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Requests by route and status, and how long they took from their headers to the end of the answer',
  labelNames: ['method', 'route', 'status'],
  buckets: BUCKETS,
});

/** Counts and times every request. Labels are patterns of routes and never what a client made up. */
export class HttpMetrics implements RequestObserver {
  answered(response: TrackedResponse): void {
    const request = response.req as Request;
    const route = routeOf(request);
    const labels = {
      method: route === undefined ? '' : request.method,
      route: route ?? '',
      status: statusOf(response),
    };
    durations.observe(labels, (performance.now() - response.receivedAt) / 1000);
  }

  clientErrorSent({ status }: ClientErrorResponse): void {
    durations.observe({ method: '', route: '', status }, 0);
  }
}
