import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request } from 'express';
import type { BodySource } from '../body/read-body.js';
import type { ClientErrorResponse } from '../connections/client-error.js';

export type LogFields = Record<string, string | number>;

/** A response with what the adapter, the log and the metrics keep of it, in fields alone: Express replaces the prototype. */
export class TrackedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** Sent as X-Request-Id. */
  requestId = '';
  receivedAt = 0;
  /** Gives the request's slot back. */
  releaseSlot: (() => void) | undefined = undefined;
  /** An unexpected error, for the log. */
  failure: unknown = undefined;
  readonly logFields: LogFields = {};
}

/** What Express' type of a response lacks. */
export type Tracking = Omit<TrackedResponse, keyof ServerResponse>;

/** Less than a packet holds. */
const SMALL_PIECE_BYTES = 64;
/** A till that writes four bytes at a time sends 2,000 for a day. */
const MAX_SMALL_PIECES = 8192;

/**
 * Makes the classes of the server's requests and responses with Express' prototypes, which Express would otherwise
 * give each of them. See docs/performance.md#express-prototypes.
 */
export function expressMessageClasses(app: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof TrackedResponse;
} {
  class ExpressRequest extends IncomingMessage implements BodySource {
    hasTooManyPieces = false;
    private smallPieces = 0;

    /** Returns false beyond the limit, so that Node reads on only when somebody reads the body. */
    override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
      if (piece && piece.length < SMALL_PIECE_BYTES && ++this.smallPieces > MAX_SMALL_PIECES)
        this.hasTooManyPieces = true;
      return super.push(piece, encoding) && !this.hasTooManyPieces;
    }
  }
  class ExpressResponse<
    Request extends IncomingMessage = IncomingMessage,
  > extends TrackedResponse<Request> {}
  Object.assign(app, {
    request: Object.setPrototypeOf(ExpressRequest.prototype, app.request as object) as object,
    response: Object.setPrototypeOf(ExpressResponse.prototype, app.response as object) as object,
  });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** As proxies log it. */
const CLIENT_CLOSED_REQUEST = 499;

export interface RequestObserver {
  /** Is called after a disconnect too. */
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
