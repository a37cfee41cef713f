type Headers = Readonly<Record<string, string>>;

/** An error with an HTTP status and a text for clients. */
export abstract class ServiceError extends Error {
  /** Sent as `X-Error-Code`. */
  abstract readonly code: string;
  abstract readonly status: number;
  readonly headers: Headers = {};
  /** JSON pointers (RFC 6901) of the invalid fields. */
  readonly pointers: readonly string[] = [];

  /** Without a stack: making one costs more than the rest of a rejected request. */
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
  /** Read by a person; a function makes it of the arguments of the constructor. */
  readonly text: string | ((...given: Arguments) => string);
  readonly headers?: Headers | ((...given: Arguments) => Headers);
  /** JSON pointers of the fields that are invalid. */
  readonly pointers?: readonly string[];
}

interface DeclaredError {
  readonly code: string;
  readonly status: number;
  /** Undefined if it depends on arguments. */
  readonly text: string | undefined;
}

const declaredForClients: DeclaredError[] = [];

/** Every error that HTTP clients may get, for the OpenAPI document. */
export function declaredErrors(): readonly DeclaredError[] {
  return declaredForClients;
}

/** Declares an error class for HTTP clients. */
export function serviceError<Arguments extends unknown[] = []>(
  declaration: ErrorDeclaration<Arguments>,
): new (...given: Arguments) => ServiceError {
  const { code, status, text } = declaration;
  declaredForClients.push({ code, status, text: typeof text === 'string' ? text : undefined });
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
