import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** Fields that features add to the log line of a request. */
export type LogFields = Record<string, string | number>;

/** A pool of slots; see `ConcurrencyLimiter`. */
export interface Slots {
  giveBack(): void;
}

/** What the server keeps of a request until its response is sent. */
export interface Tracking {
  /** Sent as X-Request-Id. */
  requestId: string;
  /** `performance.now()` when the headers were complete. */
  receivedAt: number;
  /** The status of a response that was written to the socket directly. */
  rawStatus: number | undefined;
  /** Where the slot that the request holds came from. */
  slots: Slots | undefined;
  /** The unexpected error that made the request fail. */
  failure: unknown;
  readonly logFields: LogFields;
}

/** A response with the server's own fields. It has no methods: Express replaces the prototype. */
export class TrackedResponse<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements Tracking
{
  requestId = '';
  receivedAt = 0;
  rawStatus: number | undefined = undefined;
  slots: Slots | undefined = undefined;
  failure: unknown = undefined;
  readonly logFields: LogFields = {};
}

// see docs/performance.md#express-prototypes
/** Makes classes that have Express' prototypes already. */
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
