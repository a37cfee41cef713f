import { randomUUID } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { bareAddress } from '../../config/trusted-proxies.js';
import { InvalidHttp, Overloaded } from '../errors/http.errors.js';
import { writeError } from './error.filter.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Headers of every response; Strict-Transport-Security is the TLS proxy's (RFC 6797, 8.1). */
export const CONSTANT_HEADERS = new Map([
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
]);

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- as Express' types say
  namespace Express {
    /** What the service knows of a request: `response.locals`. */
    interface Locals {
      /** Identifies the request; if the client sent a well-formed id, it is that one. */
      requestId: string;
      /** The address that trusted proxies report, or `unknown`. */
      clientAddress: string;
      /** Answers in place of what takes too long; a body that arrives late starts it anew. */
      timer: NodeJS.Timeout;
      /** Whether it was answered before its handler was done. */
      isLate?: true;
      /** Whether the route is a `@Probe()`. */
      isProbe?: boolean;
      /** Gives the request's slot back. */
      releaseSlot?: (() => void) | undefined;
      /** The unexpected error that the log shows. */
      failure?: unknown;
      /** Fields that a feature adds to the log line. */
      logFields: Record<string, string | number>;
    }
  }
}

/** What observers are told once a request is over. */
export interface FinishedRequest {
  readonly requestId: string;
  readonly clientAddress: string;
  /** 499, as proxies say, for a client that has disconnected. */
  readonly status: number;
  /** The `X-Error-Code`. */
  readonly code: string | undefined;
  readonly ms: number;
  /** Undefined for bytes that were no request. */
  readonly response?: Response;
}

/** Is called when a response was sent, or when the client has disconnected. */
export type RequestObserver = (request: FinishedRequest) => void;

/** Gives each request its id, address, headers and time limit, and tells observers how it ended. */
export function trackRequest(
  observers: readonly RequestObserver[],
  answerMs: number,
): RequestHandler {
  return (request, response, next) => {
    const begunAt = performance.now();
    const sent = request.headers['x-request-id'];
    const requestId = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
    const client = clientAddress(request);
    const timer = setTimeout(() => rejectLate(response), answerMs).unref();
    response.locals = { requestId, clientAddress: client, timer, logFields: {} };
    response.setHeader('X-Request-Id', requestId).setHeaders(CONSTANT_HEADERS);
    response.on('close', () => {
      clearTimeout(timer);
      const status = statusOf(response);
      const code = response.getHeader('X-Error-Code') as string | undefined;
      const ms = performance.now() - begunAt;
      for (const observe of observers)
        observe({ requestId, clientAddress: client, status, code, ms, response });
    });
    // The bytes behind a request for an upgrade, which is not offered, are no further requests.
    if (request.headers.upgrade !== undefined) response.set('Connection', 'close');
    const hosts = request.headersDistinct['host']?.length ?? 0;
    if (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')) next();
    else next(new InvalidHttp('it needs one header Host'));
  };
}

/** Returns the address that trusted proxies report, or `unknown`. */
export function clientAddress(request: Request): string {
  return bareAddress(request.ip ?? '') ?? 'unknown';
}

/** Answers a request whose handler takes too long; one whose body is arriving has more time. */
function rejectLate(response: Response): void {
  const { req: request, locals } = response;
  if (response.headersSent) return;
  if (request.complete) {
    locals.isLate = true;
    writeError(new Overloaded('the response took too long'), response);
  } else if (!request.destroyed) locals.timer.refresh();
}

function statusOf({ headersSent, statusCode, req }: Response): number {
  const isCutOff = !req.complete && Boolean(req.socket.errored);
  return headersSent && !isCutOff ? statusCode : 499;
}

export function routeOf({ route }: Request): string | undefined {
  const path = (route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? path : undefined;
}

/** The address of the client, through trusted proxies. */
export const ClientAddress = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getResponse<Response>().locals.clientAddress,
);
