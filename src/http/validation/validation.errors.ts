import { ServiceError } from '../errors/service-error.js';

/** The request is not what the route's DTO asks for; the text tells every fault, or the first ten. */
export class InvalidRequest extends ServiceError {
  readonly status = 400;
  readonly code = 'invalid_request';
}

/** A list holds more entries than the route takes; it outranks every other fault of the body. */
export class TooManyEntries extends ServiceError {
  readonly status = 413;
  readonly code = 'too_many_entries';
}
