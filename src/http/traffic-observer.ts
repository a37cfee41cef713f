import type { TrackedResponse } from './tracked-response.js';

/** An answer to bytes that were no request, or came too slowly to become one. */
export interface RawAnswer {
  readonly requestId: string;
  readonly status: number;
  readonly clientAddress: string;
}

/** Is told of everything that the service answered: the log and the metrics listen here. */
export interface TrafficObserver {
  /** The answer was sent, or the client went away before; then `response.writableFinished` is false. */
  answered(response: TrackedResponse): void;
  refusedRaw(answer: RawAnswer): void;
}
