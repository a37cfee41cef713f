import { STATUS_CODES } from 'node:http';
import { ServiceError } from './service-error.js';

/** Nothing is served at this path. */
export class NoSuchPath extends ServiceError {
  readonly status = 404;
  readonly code = 'not_found';
  constructor() {
    super('there is nothing at this path');
  }
}

/** The path is served, with other methods; `Allow` names them (RFC 9110 section 15.5.6). */
export class WrongMethod extends ServiceError {
  readonly status = 405;
  readonly code = 'method_not_allowed';
  override readonly headers: Record<string, string>;
  constructor(method: string, allowed: readonly string[]) {
    super(`${method} is not possible at this path: use ${allowed.join(' or ')}`);
    this.headers = { Allow: allowed.join(', ') };
  }
}

/** RFC 9112 section 3.2: a request of HTTP/1.1 has exactly one. */
export class InvalidHost extends ServiceError {
  readonly status = 400;
  readonly code = 'unfit_host';
  constructor() {
    super('the request must have one Host header');
  }
}

/** RFC 9110 section 10.1.1 knows no other. */
export class UnknownExpectation extends ServiceError {
  readonly status = 417;
  readonly code = 'unknown_expectation';
  constructor() {
    super('the Expect header can only be 100-continue');
  }
}

/** The web framework refused the request before any of our code saw it. */
export class RejectedByRouter extends ServiceError {
  readonly code = 'bad_request';
  constructor(readonly status: number) {
    super((STATUS_CODES[status] ?? 'bad request').toLowerCase());
  }
}

/**
 * Something unforeseen, or the database is away; the log has the cause under the request's id. It cannot say whether
 * anything was saved: a database that did not answer in time may have done its work all the same.
 */
export class InternalError extends ServiceError {
  readonly status = 500;
  readonly code = 'internal_error';
  constructor() {
    super('internal server error: please send the request again later; to send it twice does no harm');
  }
}

/** What every error carries in its headers, and its own. */
export function errorHeaders(error: ServiceError): Record<string, string> {
  return { 'X-Error-Code': error.code, 'Cache-Control': 'no-store', ...error.headers };
}
