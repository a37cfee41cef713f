type Headers = Readonly<Record<string, string>>;

/** An error with an HTTP status and a text for clients. */
export abstract class ServiceError extends Error {
  /** The word that is sent as `X-Error-Code`. */
  abstract readonly code: string;
  abstract readonly status: number;
  readonly headers: Headers = {};
  /** JSON pointers (RFC 6901) of the invalid fields. */
  readonly pointers: readonly string[] = [];

  /** Has no stack: making one costs more than the rest of a rejected request. */
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

interface ErrorDeclaration<Arguments extends unknown[]> {
  /** A stable snake_case word, sent as `X-Error-Code`. */
  readonly code: string;
  readonly status: number;
  /** The text for people; a function makes it from the arguments of the constructor. */
  readonly text: string | ((...given: Arguments) => string);
  readonly headers?: Headers | ((...given: Arguments) => Headers);
  readonly pointers?: readonly string[];
}

/** Every error that HTTP clients may get, for the OpenAPI document and the metrics. */
export const declaredErrors: Pick<ServiceError, 'code' | 'status'>[] = [];

/** Declares an error class for HTTP clients. */
export function serviceError<Arguments extends unknown[] = []>(
  declaration: ErrorDeclaration<Arguments>,
): new (...given: Arguments) => ServiceError {
  declaredErrors.push(declaration);
  return commandError(declaration);
}

/** Declares an error class that the OpenAPI document leaves out. */
export function commandError<Arguments extends unknown[] = []>({
  code,
  status,
  text,
  headers = {},
  pointers = [],
}: ErrorDeclaration<Arguments>): new (...given: Arguments) => ServiceError {
  return class extends ServiceError {
    readonly code = code;
    readonly status = status;
    override readonly headers: Headers;
    override readonly pointers = pointers;

    constructor(...given: Arguments) {
      super(typeof text === 'string' ? text : text(...given));
      this.headers = typeof headers === 'function' ? headers(...given) : headers;
    }
  };
}

/** Matches pointers that a header can hold: printable ASCII without commas, of limited length. */
const HEADER_ENTRY = /^[!-+\--~]{1,200}$/;

export function errorHeaders({ code, headers, pointers }: ServiceError): Headers {
  const fields = [...new Set(pointers)].filter((pointer) => HEADER_ENTRY.test(pointer));
  return {
    'X-Error-Code': code,
    'Cache-Control': 'no-store',
    ...(fields.length > 0 && { 'X-Error-Fields': fields.join(', ') }),
    ...headers,
  };
}
