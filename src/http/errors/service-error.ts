import { HttpException } from '@nestjs/common';

type Headers = Readonly<Record<string, string>>;

interface ErrorDetails {
  /** A stable snake_case word, sent as `X-Error-Code`. */
  readonly code: string;
  readonly status: number;
  /** The text for people. */
  readonly text: string;
  readonly headers?: Headers;
  /** JSON pointers (RFC 6901) of the invalid fields. */
  readonly pointers?: readonly string[];
}

/** An error with an HTTP status and a text for people; the base of all that the service throws. */
export abstract class ServiceError extends HttpException {
  /** The word that is sent as `X-Error-Code`. */
  declare readonly errorCode: string;
  private readonly details: ErrorDetails;

  /** Has no stack: making one costs more than the rest of a rejected request. */
  constructor(details: ErrorDetails) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(details.text, details.status, { errorCode: details.code });
    Error.stackTraceLimit = stackTraceLimit;
    this.details = details;
  }

  /** Returns the body, which also filters of Nest send: it is this error, which is sent as JSON. */
  override getResponse(): this {
    return this;
  }

  toJSON(): { readonly error: string } {
    return { error: this.message };
  }

  /** A 401 asks for a token (RFC 9110 section 15.5.2). */
  getHeaders(): Headers {
    const { headers, pointers = [] } = this.details;
    const fields = [...new Set(pointers)].filter((pointer) => HEADER_ENTRY.test(pointer));
    return {
      'X-Error-Code': this.errorCode,
      'Cache-Control': 'no-store',
      ...(this.getStatus() === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(fields.length > 0 && { 'X-Error-Fields': fields.join(', ') }),
      ...headers,
    };
  }

  /** Sets what the log shows as the cause. */
  causedBy(cause: unknown): this {
    this.cause = cause;
    return this;
  }
}

/** Matches pointers that a header can hold: printable ASCII without commas, of limited length. */
const HEADER_ENTRY = /^[!-+\--~]{1,200}$/;

type Given<Arguments extends unknown[], Value> = Value | ((...given: Arguments) => Value);

interface ErrorDeclaration<Arguments extends unknown[]> {
  readonly code: string;
  readonly status: number;
  /** The text for people; a function makes it from the arguments of the constructor. */
  readonly text: Given<Arguments, string>;
  readonly headers?: Given<Arguments, Headers>;
  readonly pointers?: Given<Arguments, readonly string[]>;
}

/** Every error that HTTP clients may get, for the OpenAPI document and the metrics. */
export const declaredErrors: Pick<ErrorDeclaration<never>, 'code' | 'status' | 'text'>[] = [];

/** Declares an error: `class OrderUnknown extends serviceError({ code, status, text }) {}`. */
export function serviceError<Arguments extends unknown[] = []>(
  declaration: ErrorDeclaration<Arguments>,
): new (...given: Arguments) => ServiceError {
  const { code, status, text, headers = {}, pointers = [] } = declaration;
  declaredErrors.push({ code, status, text });
  return class extends ServiceError {
    constructor(...given: Arguments) {
      super({
        code,
        status,
        text: typeof text === 'function' ? text(...given) : text,
        headers: typeof headers === 'function' ? headers(...given) : headers,
        pointers: typeof pointers === 'function' ? pointers(...given) : pointers,
      });
    }
  };
}

/** Says whether an error rejects what was asked, and is not a failure of the service. */
export function isRejection(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.getStatus() < 500;
}
