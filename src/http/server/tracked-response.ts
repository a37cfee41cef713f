import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { SpanContext } from '../../metrics/tracing.js';

export type LogFields = Record<string, string | number>;

export interface Slots {
  giveBack(): void;
}

export interface Tracking {
  /** Sent as X-Request-Id. */
  requestId: string;
  receivedAt: number;
  /** If written to the socket directly. */
  rawStatus: number | undefined;
  slots: Slots | undefined;
  trace: SpanContext | undefined;
  /** An unexpected error, for the log. */
  failure: unknown;
  readonly logFields: LogFields;
}

/** Has fields only: Express replaces the prototype. */
export class TrackedResponse<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements Tracking
{
  requestId = '';
  receivedAt = 0;
  rawStatus: number | undefined = undefined;
  slots: Slots | undefined = undefined;
  trace: SpanContext | undefined = undefined;
  failure: unknown = undefined;
  readonly logFields: LogFields = {};
}

// see docs/performance.md#express-prototypes
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
