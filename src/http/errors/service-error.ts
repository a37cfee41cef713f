type Headers = Readonly<Record<string, string>>;

/** A failure with an HTTP status of its own; its message is the text of the response, or of the command line. */
export abstract class ServiceError extends Error {
  /** Sent as `X-Error-Code`. */
  abstract readonly code: string;
  abstract readonly status: number;
  readonly headers: Headers = {};

  /** Leaves the stack out: making one costs more than the rest of a rejected request. */
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

interface ErrorDeclaration {
  readonly code: string;
  readonly status: number;
  /** Undefined where the text depends on the arguments of the constructor. */
  readonly text: string | undefined;
}

const declarations: ErrorDeclaration[] = [];

/** All errors that HTTP clients may get, for the OpenAPI document. */
export function declaredErrors(): readonly ErrorDeclaration[] {
  return declarations;
}

/** Declares an error class; text and headers may depend on the arguments of its constructor. */
export function serviceError<Arguments extends unknown[] = []>(
  code: string,
  status: number,
  text: string | ((...given: Arguments) => string),
  headers: Headers | ((...given: Arguments) => Headers) = {},
): new (...given: Arguments) => ServiceError {
  declarations.push({ code, status, text: typeof text === 'string' ? text : undefined });
  return commandError(code, status, text, headers);
}

/** Declares an error that only commands throw; the OpenAPI document leaves it out. */
export function commandError<Arguments extends unknown[] = []>(
  code: string,
  status: number,
  text: string | ((...given: Arguments) => string),
  headers: Headers | ((...given: Arguments) => Headers) = {},
): new (...given: Arguments) => ServiceError {
  return class extends ServiceError {
    readonly code = code;
    readonly status = status;
    override readonly headers: Headers;

    constructor(...given: Arguments) {
      super(typeof text === 'string' ? text : text(...given));
      this.headers = typeof headers === 'function' ? headers(...given) : headers;
    }
  };
}

/** The headers of an error response. */
export function errorHeaders({ code, headers }: ServiceError): Record<string, string> {
  return { 'X-Error-Code': code, 'Cache-Control': 'no-store', ...headers };
}
