/** Anything that goes wrong and has a status of its own; features derive one-line classes from it. */
export abstract class ServiceError extends Error {
  /** Without a stack: what was foreseen needs none, and making it costs more than refusing a request does otherwise. */
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }

  abstract readonly status: number;
  /** A stable snake_case word for programs, sent as `X-Error-Code`. */
  abstract readonly code: string;
  /** Headers that belong to the answer, such as `Retry-After`. */
  readonly headers?: Record<string, string>;
}
