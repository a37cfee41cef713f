import type { Request } from 'express';
import type { TrackedResponse } from './tracked-response.js';

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
