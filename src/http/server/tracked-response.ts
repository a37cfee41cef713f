import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

export type LogFields = Record<string, string | number>;

export interface Slots {
  giveBack(): void;
}

/** What the server keeps of a request until its response is sent. */
export interface Tracking {
  /** Sent as X-Request-Id. */
  requestId: string;
  receivedAt: number;
  /** The status of a response written to the socket directly. */
  rawStatus: number | undefined;
  /** Where the request's slot came from. */
  slots: Slots | undefined;
  /** The unexpected error that made the request fail. */
  failure: unknown;
  readonly logFields: LogFields;
}

/** A response with fields of ours; methods would be lost with the prototype, which Express replaces. */
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
/** Makes message classes with Express' prototypes. */
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
