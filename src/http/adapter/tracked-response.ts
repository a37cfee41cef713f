import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request } from 'express';
import type { ClientErrorResponse } from '../connections/client-error.js';

export type LogFields = Record<string, string | number>;

/** A response with fields for adapter, log and metrics; Express replaces the prototype. */
export class TrackedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** Identifies the request; it is sent as X-Request-Id. */
  requestId = '';
  receivedAt = 0;
  /** Gives the request's slot back. */
  releaseSlot: (() => void) | undefined = undefined;
  /** The unexpected error that the log shows. */
  failure: unknown = undefined;
  readonly logFields: LogFields = {};
}

/** Fields that Express' type of a response lacks. */
export type TrackedFields = Omit<TrackedResponse, keyof ServerResponse>;

/**
 * Makes the classes of the server's requests and responses with Express' prototypes, which Express
 * would otherwise give each of them. See docs/performance.md#express-prototypes.
 */
export function expressMessageClasses(app: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof TrackedResponse;
} {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<
    Request extends IncomingMessage = IncomingMessage,
  > extends TrackedResponse<Request> {}
  Object.assign(app, {
    request: Object.setPrototypeOf(ExpressRequest.prototype, app.request as object) as object,
    response: Object.setPrototypeOf(ExpressResponse.prototype, app.response as object) as object,
  });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** The status that proxies log for a disconnected client; no client gets it. */
const CLIENT_CLOSED_REQUEST = 499;

export interface RequestObserver {
  /** Is called when the response was sent, or when the client has disconnected. */
  responseClosed(response: TrackedResponse): void;
  clientErrorSent?(response: ClientErrorResponse): void;
}

export function routeOf(request: Request): string | undefined {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : undefined;
}

/** A client that is cut off in its request gets no response. */
export function sentStatusOf({ headersSent, statusCode, req }: TrackedResponse): number {
  const isCutOff = !req.complete && Boolean(req.socket.errored);
  return headersSent && !isCutOff ? statusCode : CLIENT_CLOSED_REQUEST;
}
