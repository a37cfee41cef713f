import { randomInt } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { ServiceError, serviceError } from './service-error.js';

/** Is the text of an error that is worded where the fault is found. */
const asSaid = (text: string): string => text;

export const NoSuchPath = serviceError({
  code: 'not_found',
  status: 404,
  text: 'there is no endpoint at this path for this method: GET /api/v1/openapi.json lists all',
});

/** Represents what a handler or a library throws with a status, which replaces this one. */
export const RequestRejected = serviceError({ code: 'bad_request', status: 400, text: asSaid });

/** Rejects a range of days, in a query or a command. */
export const DatesReversed = serviceError({
  code: 'dates_reversed',
  status: 400,
  text: (from: string, to: string) => `to (${to}) must not be before from (${from})`,
  pointers: ['/to'],
});

export const Overloaded = serviceError({
  code: 'overloaded',
  status: 503,
  text: 'the service is overloaded: retry after the seconds in Retry-After',
  // Clients that are turned away at one moment come back spread over some seconds.
  headers: () => ({ 'Retry-After': String(randomInt(1, 6)) }),
});

/** The text says that a retry is safe, since a database that timed out may have committed. */
export const InternalError = serviceError({
  code: 'internal_error',
  status: 500,
  text: 'internal server error: send the request again later, it is safe to retry',
});

export const BodyTooLarge = serviceError({ code: 'body_too_large', status: 413, text: asSaid });
export const TooManyEntries = serviceError({ code: 'too_many_entries', status: 413, text: asSaid });
export const InvalidRequest = serviceError({ code: 'invalid_request', status: 400, text: asSaid });

export const InvalidHttp = serviceError({
  code: 'invalid_http',
  status: 400,
  text: (error: string) => `the request is not valid HTTP: ${error.replace('Parse Error: ', '')}`,
});

export const RequestTimeout = serviceError({
  code: 'request_timeout',
  status: 408,
  text: 'the request did not arrive in time',
});

export const HeadersTooLarge = serviceError({
  code: 'headers_too_large',
  status: 431,
  text: 'the request headers are too large',
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

/** Makes an error for clients out of what was thrown; one of Nest keeps its status and text. */
export function asServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof HttpException) return rejection(thrown.getStatus(), textOf(thrown));
  // Express gives errors of the client, such as bad percent-encoding, a status.
  const { status } = Object(thrown) as { status?: unknown };
  const isOfClient = typeof status === 'number' && status >= 400 && status < 500;
  return isOfClient ? rejection(status) : new InternalError();
}

function textOf(exception: HttpException): string {
  const { message = exception.message } = Object(exception.getResponse()) as { message?: unknown };
  return [message].flat().join('; ');
}

function rejection(status: number, text?: string): ServiceError {
  const name = (STATUS_CODES[status] ?? 'bad request').toLowerCase();
  return Object.assign(new RequestRejected(text ?? name), {
    status,
    code: name.replace(/[^a-z]+/g, '_'),
    headers: status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {},
  });
}
