import type { Request } from 'express';
import { Histogram } from 'prom-client';
import { counter } from '../../metrics/metrics.js';
import { declaredErrors } from '../errors/service-error.js';
import {
  routeOf,
  sentStatusOf,
  type ClientErrorResponse,
  type RequestObserver,
  type TrackedResponse,
} from '../server/tracked-response.js';

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Duration of requests from the end of their headers to the end of the response',
  labelNames: ['method', 'route', 'status'],
});

const errors = counter<string>(
  'http_errors_total',
  'Error responses by their X-Error-Code',
  'code',
  declaredErrors().map(({ code }) => code),
);

/** Labels never hold text of a client. */
export class HttpMetrics implements RequestObserver {
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
    if (typeof code === 'string') errors.add(1, code);
  }

  clientErrorSent({ status, code }: ClientErrorResponse): void {
    durations.observe({ method: '', route: '', status }, 0);
    errors.add(1, code);
  }
}
