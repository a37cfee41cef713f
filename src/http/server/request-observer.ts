import type { TrackedResponse } from './tracked-response.js';

/** An answer to bytes that were no request, or came too slowly to become one. */
export interface ClientErrorResponse {
  readonly requestId: string;
  readonly status: number;
  readonly clientAddress: string;
}

/** Is told of everything that the service answered: the log and the metrics listen here. */
export interface RequestObserver {
  /** The answer was sent, or the client went away before; then `response.writableFinished` is false. */
  answered(response: TrackedResponse): void;
  clientErrorSent(answer: ClientErrorResponse): void;
}
