import { STATUS_CODES } from 'node:http';
import { serviceError } from './service-error.js';

export const NoSuchPath = serviceError(
  'not_found',
  404,
  'there is no endpoint at this path: GET /api/v1/openapi.json lists all',
);

/** RFC 9110 section 15.5.6. */
export const WrongMethod = serviceError(
  'method_not_allowed',
  405,
  (method: string, allowed: readonly string[]) => `${method} is not possible here: use ${allowed.join(' or ')}`,
  (_method, allowed) => ({ Allow: allowed.join(', ') }),
);

export const InvalidHost = serviceError('unfit_host', 400, 'the request must have one Host header');

export const UnknownExpectation = serviceError(
  'unknown_expectation',
  417,
  'the Expect header can only be 100-continue',
);

/** Rejected by Express or Nest. */
export const RejectedByRouter = serviceError('bad_request', 400, (status: number) =>
  (STATUS_CODES[status] ?? 'bad request').toLowerCase(),
);

export const Overloaded = serviceError(
  'overloaded',
  503,
  'the service is overloaded: retry after the seconds in Retry-After',
  { 'Retry-After': '1' },
);

/** A database that timed out may have committed. */
export const InternalError = serviceError(
  'internal_error',
  500,
  'internal server error: send the request again later, it is safe to retry',
);

export const BodyTooLarge = serviceError(
  'body_too_large',
  413,
  (limit: number) => `the body is larger than ${limit} bytes, the limit`,
);

export const ChunkExtensionsTooLarge = serviceError('body_too_large', 413, 'the chunk extensions are too large');

export const TooManyPieces = serviceError('body_too_large', 413, 'the body is sent in too many small pieces');

export const TooManyEntries = serviceError('too_many_entries', 413, (text: string) => text);

export const InvalidRequest = serviceError('invalid_request', 400, (text: string) => text);

export const BodyCutShort = serviceError('body_cut_short', 400, 'the body ended before it was complete');

export const InvalidJson = serviceError('invalid_json', 400, (detail: string) => `the body is not valid JSON${detail}`);

/** RFC 8259 section 8.1; replacement characters would be stored. */
export const NotUtf8 = serviceError(
  'invalid_characters',
  400,
  'the body is not valid UTF-8, which JSON must be sent in',
);

export const NotJson = serviceError(
  'content_type_not_json',
  400,
  'the body must be JSON and no form, with the header Content-Type: application/json: see GET /api/v1/openapi.json',
);

export const UnsupportedCharset = serviceError(
  'unsupported_charset',
  415,
  'the charset of the Content-Type must be utf-8',
);

export const UnsupportedEncoding = serviceError(
  'unsupported_content_encoding',
  415,
  (allowed: string) => `the Content-Encoding must be ${allowed}`,
);

export const InvalidEncoding = serviceError(
  'invalid_content_encoding',
  400,
  'the body cannot be decoded with the Content-Encoding that was sent',
);
