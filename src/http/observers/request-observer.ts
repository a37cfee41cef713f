import type { Request } from 'express';
import type { TrackedResponse } from '../server/tracked-response.js';

/** The status that proxies log for a request whose client disconnected before the response. */
const CLIENT_CLOSED_REQUEST = 499;

/** A response to bytes that never became a request. */
export interface ClientErrorResponse {
  readonly requestId: string;
  readonly status: number;
  readonly clientAddress: string;
}

/** Receives every response of the service; the access log and the metrics implement it. */
export interface RequestObserver {
  /** The response was sent, or the client disconnected first: then `response.writableFinished` is false. */
  responseClosed(response: TrackedResponse): void;
  clientErrorSent(response: ClientErrorResponse): void;
}

/** Returns the pattern of the route that serves the request; undefined if there is none. */
export function routeOf(request: Request): string | undefined {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : undefined;
}

/** Returns the status that the client received. */
export function sentStatusOf({ rawStatus, headersSent, statusCode }: TrackedResponse): number {
  return rawStatus ?? (headersSent ? statusCode : CLIENT_CLOSED_REQUEST);
}
