import type { Request } from 'express';
import { addSpan } from '../../metrics/tracing.js';
import { routeOf, sentStatusOf, type RequestObserver, type TrackedResponse } from '../server/tracked-response.js';

/** Traces each request. */
export class RequestSpans implements RequestObserver {
  responseClosed(response: TrackedResponse): void {
    const { trace: context, receivedAt: startedAt, requestId } = response;
    if (!context) return;
    const request = response.req as Request;
    const route = routeOf(request) ?? '';
    const status = sentStatusOf(response);
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': status,
      'request.id': requestId,
    };
    const name = `${request.method} ${route}`.trim();
    addSpan({ context, name, kind: 'server', startedAt, failed: status >= 500, attributes });
  }
}
