type Headers = Readonly<Record<string, string>>;

/** A field of the body, the query or the path that is invalid. */
export interface FieldError {
  /** RFC 6901. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** An error with an HTTP status and a text for clients. */
export abstract class ServiceError extends Error {
  /** Sent as `X-Error-Code`. */
  abstract readonly code: string;
  abstract readonly status: number;
  readonly headers: Headers = {};
  readonly fieldErrors: readonly FieldError[] = [];

  /** Without a stack: making one costs more than the rest of a rejected request. */
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
  /** Undefined if it depends on arguments. */
  readonly text: string | undefined;
}

const declarations: ErrorDeclaration[] = [];

export function declaredErrors(): readonly ErrorDeclaration[] {
  return declarations;
}

type Declared<Arguments extends unknown[]> = [
  code: string,
  status: number,
  text: string | ((...given: Arguments) => string),
  headers?: Headers | ((...given: Arguments) => Headers),
  pointers?: readonly string[],
];

/** Declares an error class for HTTP clients; the pointers name the invalid fields. */
export function serviceError<Arguments extends unknown[] = []>(
  ...declared: Declared<Arguments>
): new (...given: Arguments) => ServiceError {
  const [code, status, text] = declared;
  declarations.push({ code, status, text: typeof text === 'string' ? text : undefined });
  return commandError(...declared);
}

/** Declares an error class that the OpenAPI document leaves out. */
export function commandError<Arguments extends unknown[] = []>(
  ...[code, status, text, headers = {}, pointers = []]: Declared<Arguments>
): new (...given: Arguments) => ServiceError {
  return class extends ServiceError {
    readonly code = code;
    readonly status = status;
    override readonly headers: Headers;
    override readonly fieldErrors: readonly FieldError[];

    constructor(...given: Arguments) {
      super(typeof text === 'string' ? text : text(...given));
      this.headers = typeof headers === 'function' ? headers(...given) : headers;
      this.fieldErrors = pointers.map((pointer) => ({ pointer, code: 'invalid', detail: this.message }));
    }
  };
}
