import { randomInt } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { ServiceError, serviceError } from './service-error.js';

export const NoSuchPath = serviceError({
  code: 'not_found',
  status: 404,
  text: 'there is no endpoint at this path for this method: GET /api/v1/openapi.json lists all',
});

/** Stands for what a handler or a library throws with a status of its own, which replaces this. */
export const RequestRejected = serviceError({
  code: 'bad_request',
  status: 400,
  text: (text: string) => text,
});

/** Is for a range of days, of a query or of a command. */
export const DatesReversed = serviceError({
  code: 'dates_reversed',
  status: 400,
  text: (from: string, to: string) => `to (${to}) must not be before from (${from})`,
  pointers: ['/to'],
});

/** Clients that are turned away at one moment come back spread over these seconds. */
const RETRY_AFTER_SECONDS = { min: 1, max: 5 };

export const Overloaded = serviceError({
  code: 'overloaded',
  status: 503,
  text: 'the service is overloaded: retry after the seconds in Retry-After',
  headers: () => ({
    'Retry-After': String(randomInt(RETRY_AFTER_SECONDS.min, RETRY_AFTER_SECONDS.max + 1)),
  }),
});

/** Its text speaks of a retry, since a database that timed out may have committed. */
export const InternalError = serviceError({
  code: 'internal_error',
  status: 500,
  text: 'internal server error: send the request again later, it is safe to retry',
});

export const BodyTooLarge = serviceError({
  code: 'body_too_large',
  status: 413,
  text: (limit: number) => `the body is larger than ${limit} bytes, the limit`,
});

export const ChunkExtensionsTooLarge = serviceError({
  code: 'body_too_large',
  status: 413,
  text: 'the chunk extensions are too large',
});

export const TooManyPieces = serviceError({
  code: 'body_too_large',
  status: 413,
  text: 'the body is sent in too many small pieces',
});

export const TooManyEntries = serviceError({
  code: 'too_many_entries',
  status: 413,
  text: (text: string) => text,
});

export const InvalidRequest = serviceError({
  code: 'invalid_request',
  status: 400,
  text: (text: string) => text,
});

export const BodyCutShort = serviceError({
  code: 'body_cut_short',
  status: 400,
  text: 'the body ended before it was complete',
});

export const InvalidJson = serviceError({
  code: 'invalid_json',
  status: 400,
  text: (detail: string) => `the body is not valid JSON${detail}`,
});

/** Rejects what is not UTF-8 (RFC 8259 section 8.1): replacement characters would be stored. */
export const NotUtf8 = serviceError({
  code: 'invalid_characters',
  status: 400,
  text: 'the body is not valid UTF-8, which JSON must be sent in',
});

export const NotJson = serviceError({
  code: 'content_type_not_json',
  status: 400,
  text: 'the body must be JSON and no form, with the header Content-Type: application/json: see GET /api/v1/openapi.json',
});

export const UnsupportedCharset = serviceError({
  code: 'unsupported_charset',
  status: 415,
  text: 'the charset of the Content-Type must be utf-8',
});

export const UnsupportedEncoding = serviceError({
  code: 'unsupported_content_encoding',
  status: 415,
  text: (allowed: string) => `the Content-Encoding must be ${allowed}`,
});

export const InvalidEncoding = serviceError({
  code: 'invalid_content_encoding',
  status: 400,
  text: 'the body cannot be decoded with the Content-Encoding that was sent',
});

/** Makes an error for clients of what was thrown; an exception of Nest keeps status and text. */
export function asServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof HttpException) return rejection(thrown.getStatus(), textOf(thrown));
  const status = clientErrorStatus(thrown);
  return status === undefined ? new InternalError() : rejection(status, nameOf(status));
}

/** Reads the status that Express gives an error of the client, such as bad percent-encoding. */
function clientErrorStatus(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('status' in thrown)) return undefined;
  const { status } = thrown;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

function textOf(exception: HttpException): string {
  const response = exception.getResponse();
  const hasMessage = typeof response === 'object' && 'message' in response;
  return [hasMessage ? response.message : exception.message].flat().join('; ');
}

function rejection(status: number, text: string): ServiceError {
  const code = nameOf(status).replace(/[^a-z]+/g, '_');
  const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return Object.assign(new RequestRejected(text), { status, code, headers });
}

function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? 'bad request').toLowerCase();
}
