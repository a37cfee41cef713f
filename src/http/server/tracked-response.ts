import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request } from 'express';
import type { SpanContext } from '../../metrics/otlp-tracer.js';
import { skipRead } from '../body/discard.js';
import type { BodySource } from '../body/read-body.js';

export type LogFields = Record<string, string | number>;

/** Has fields only: Express replaces the prototype. */
export class TrackedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Sent as X-Request-Id. */
  requestId = '';
  receivedAt = 0;
  /** If written to the socket directly. */
  rawStatus: number | undefined = undefined;
  slots: { release(request: Request): void } | undefined = undefined;
  trace: SpanContext | undefined = undefined;
  /** An unexpected error, for the log. */
  failure: unknown = undefined;
  readonly logFields: LogFields = {};
}

/** What Express' type of a response lacks. */
export type Tracking = Omit<TrackedResponse, keyof ServerResponse>;

/** Less than a packet holds. */
const SMALL_PIECE_BYTES = 64;
/** Of a body without a signed token. */
const MAX_SMALL_PIECES = 512;

// see docs/performance.md#express-prototypes
export function expressMessageClasses(
  app: Express,
  isSigned: (request: IncomingMessage) => boolean,
): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof TrackedResponse;
} {
  class ExpressRequest extends IncomingMessage implements BodySource {
    hasLostPieces = false;
    private smallPieces = 0;
    private stopSkipping: (() => void) | undefined;

    override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
      if (piece === null) this.stopSkipping?.();
      else if (piece.length < SMALL_PIECE_BYTES && ++this.smallPieces > MAX_SMALL_PIECES) this.limitPieces();
      return super.push(piece, encoding);
    }

    private limitPieces(): void {
      this.hasLostPieces = !isSigned(this);
      if (this.hasLostPieces) this.stopSkipping = skipRead(this.socket);
      else this.smallPieces = -Infinity;
    }
  }
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
