import { ServerResponse, type IncomingMessage } from 'node:http';

/** What a handler adds to the log line of its request. */
export interface LogFields {
  restaurant?: number;
  /** Who tried to log in, in a form that may be written down. */
  login?: string;
}

/** What the edge keeps of a request until its answer is sent. */
export interface Tracking {
  /** Also sent as X-Request-Id. */
  requestId: string;
  /** `performance.now()` when the request's headers were complete. */
  receivedAt: number;
  /** The status, where the answer went past the response: the request's body did not arrive in time. */
  rawStatus: number | undefined;
  /** Whether the request counts as work in flight. */
  inFlight: boolean;
  /** A question left open, and settled before a 4xx is answered; rejects with the error that comes first then. */
  judgeFirst: (() => Promise<void>) | undefined;
  /** What made the request fail, where that was not foreseen. */
  failure: unknown;
  readonly logFields: LogFields;
}

/** Fields only: Express puts its own prototype in place of this one. Kept beside the responses, they would cost more. */
export class TrackedResponse<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements Tracking
{
  requestId = '';
  receivedAt = 0;
  rawStatus: number | undefined = undefined;
  inFlight = false;
  judgeFirst: (() => Promise<void>) | undefined = undefined;
  failure: unknown = undefined;
  readonly logFields: LogFields = {};
}
