import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Express, Request } from 'express';
import { bareAddress } from '../../config/trusted-proxies.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Headers of every response; Strict-Transport-Security is the TLS proxy's (RFC 6797, 8.1). */
const CONSTANT_HEADERS = new Map([
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
]);

/**
 * A response with fields for adapter, log and metrics. It has no methods, as the responses that are
 * made inherit those of Express in place of the ones of this class.
 */
export class TrackedResponse extends ServerResponse<Request> {
  /** Identifies the request; if the client sent a well-formed id, it is that one. */
  requestId = '';
  clientAddress = 'unknown';
  readonly receivedAt = performance.now();
  /** The slots of which the request has one. */
  slots: { size: number } | undefined = undefined;
  /** Whether it was answered before its handler was done. */
  isLate = false;
  /** Whether the route is a `@Probe()`. */
  isProbe = false;
  /** The unexpected error that the log shows. */
  failure: unknown = undefined;
  readonly logFields: Record<string, string | number> = {};
}

/** Returns the address that trusted proxies report, or `unknown`. */
export function clientAddress(request: Request): string {
  return bareAddress(request.ip ?? '') ?? 'unknown';
}

/** Gives a response its id, address and constant headers, once the request is to be processed. */
export function identify(response: TrackedResponse): void {
  const sent = response.req.headers['x-request-id'];
  response.requestId = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
  response.clientAddress = clientAddress(response.req);
  response.setHeader('X-Request-Id', response.requestId).setHeaders(CONSTANT_HEADERS);
}

/** Fields that Express' type of a response lacks. */
export type TrackedFields = Omit<TrackedResponse, keyof ServerResponse>;

export const RequestLogFields = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getResponse<TrackedFields>().logFields,
);

/**
 * Makes the classes of the server's requests and responses with Express' prototypes, which Express
 * would otherwise give each of them. See docs/performance.md#express-prototypes.
 */
export function expressMessageClasses(
  app: Express,
  isEarly: (request: IncomingMessage) => boolean,
) {
  const ExpressRequest: typeof IncomingMessage = class extends IncomingMessage {
    /**
     * Makes Node take for an upgrade, after which it parses nothing, what arrives while a request
     * of the connection is in work. A packet of 62 kB can hold 2,000 requests. Undocumented:
     * connections.e2e-spec shows if a release changes it.
     */
    get upgrade(): boolean {
      return this.method === 'CONNECT' || isEarly(this);
    }

    set upgrade(_sent: boolean) {
      // Upgrades that a client asks for are not offered.
    }
  };
  const ExpressResponse = class extends TrackedResponse {} as typeof ServerResponse;
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** Is called when a response was sent, or when the client has disconnected. */
export type RequestObserver = (response: TrackedResponse) => void;

export function routeOf({ route }: Request): string | undefined {
  const path = (route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? path : undefined;
}

/** Returns 499, as proxies do, for a client that has disconnected or was cut off in its request. */
export function sentStatusOf({ headersSent, statusCode, req }: TrackedResponse): number {
  const isCutOff = !req.complete && Boolean(req.socket.errored);
  return headersSent && !isCutOff ? statusCode : 499;
}
