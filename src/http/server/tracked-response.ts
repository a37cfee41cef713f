import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request } from 'express';
import type { SpanContext } from '../../metrics/otlp-tracer.js';

export type LogFields = Record<string, string | number>;

/** Has fields only: Express replaces the prototype. */
export class TrackedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Sent as X-Request-Id. */
  requestId = '';
  receivedAt = 0;
  /** If written to the socket directly. */
  rawStatus: number | undefined = undefined;
  slots: { release(): void } | undefined = undefined;
  trace: SpanContext | undefined = undefined;
  /** An unexpected error, for the log. */
  failure: unknown = undefined;
  readonly logFields: LogFields = {};
}

/** What Express' type of a response lacks. */
export type Tracking = Omit<TrackedResponse, keyof ServerResponse>;

// see docs/performance.md#express-prototypes
export function expressMessageClasses(app: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof TrackedResponse;
} {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage = IncomingMessage> extends TrackedResponse<Request> {}
  Object.assign(app, {
    request: Object.setPrototypeOf(ExpressRequest.prototype, app.request as object) as object,
    response: Object.setPrototypeOf(ExpressResponse.prototype, app.response as object) as object,
  });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** As proxies log it. */
const CLIENT_CLOSED_REQUEST = 499;

/** Sent without a request. */
export interface ClientErrorResponse {
  readonly requestId: string;
  readonly status: number;
  /** `X-Error-Code` */
  readonly code: string;
  readonly clientAddress: string;
}

export interface RequestObserver {
  /** Also after a disconnect. */
  responseClosed(response: TrackedResponse): void;
  clientErrorSent?(response: ClientErrorResponse): void;
}

export function routeOf(request: Request): string | undefined {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : undefined;
}

export function sentStatusOf({ rawStatus, headersSent, statusCode }: TrackedResponse): number {
  return rawStatus ?? (headersSent ? statusCode : CLIENT_CLOSED_REQUEST);
}
