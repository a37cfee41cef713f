import type { Request } from 'express';
import type { TrackedResponse } from '../server/tracked-response.js';

/** As proxies log it. */
const CLIENT_CLOSED_REQUEST = 499;

/** A response to bytes that never became a request. */
export interface ClientErrorResponse {
  readonly requestId: string;
  readonly status: number;
  readonly clientAddress: string;
}

/** Receives every response of the service. */
export interface RequestObserver {
  /** If the client disconnected first, `response.writableFinished` is false. */
  responseClosed(response: TrackedResponse): void;
  clientErrorSent(response: ClientErrorResponse): void;
}

/** Returns the pattern of the request's route. */
export function routeOf(request: Request): string | undefined {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : undefined;
}

export function sentStatusOf({ rawStatus, headersSent, statusCode }: TrackedResponse): number {
  return rawStatus ?? (headersSent ? statusCode : CLIENT_CLOSED_REQUEST);
}
