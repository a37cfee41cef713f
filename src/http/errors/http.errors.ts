import { randomInt } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { declaredErrors, ServiceError, serviceError } from './service-error.js';

/** Lets the place that throws an error word its text. */
const givenText = (text: string): string => text;

export class NoSuchPath extends serviceError({
  code: 'not_found',
  status: 404,
  text: 'there is no endpoint at this path for this method: GET /api/v1/openapi.json lists all, /api/v1/docs shows them',
}) {}

/** Rejects a range of days, in a query or a command. */
export class DatesReversed extends serviceError({
  code: 'dates_reversed',
  status: 400,
  text: (from: string, to: string) => `to (${to}) must not be before from (${from})`,
  pointers: ['/to'],
}) {}

export class Overloaded extends serviceError<[reason?: string]>({
  code: 'overloaded',
  status: 503,
  text: (reason = 'the service is overloaded') =>
    `${reason}: retry after the seconds in Retry-After`,
  // Clients that are turned away at one moment come back spread over some seconds.
  headers: () => ({ 'Retry-After': String(randomInt(1, 6)) }),
}) {}

/** The text says that a retry is safe, since a database that timed out may have committed. */
export class InternalError extends serviceError({
  code: 'internal_error',
  status: 500,
  text: 'internal server error: send the request again later, it is safe to retry',
}) {}

export class BodyTooLarge extends serviceError({
  code: 'body_too_large',
  status: 413,
  text: givenText,
}) {}
export class TooManyEntries extends serviceError({
  code: 'too_many_entries',
  status: 413,
  text: givenText,
}) {}

/** Rejects invalid fields, which the pointers (RFC 6901) name. */
export class InvalidRequest extends serviceError<[text: string, pointers?: readonly string[]]>({
  code: 'invalid_request',
  status: 400,
  text: givenText,
  pointers: (_text, pointers = []) => pointers,
}) {}

export class InvalidHttp extends serviceError({
  code: 'invalid_http',
  status: 400,
  text: (error: string) => `the request is not valid HTTP: ${error.replace('Parse Error: ', '')}`,
}) {}

export class RequestTimeout extends serviceError({
  code: 'request_timeout',
  status: 408,
  text: 'the request did not arrive in time',
}) {}

export class HeadersTooLarge extends serviceError({
  code: 'headers_too_large',
  status: 431,
  text: 'the request headers are too large',
}) {}

export class BodyCutShort extends serviceError({
  code: 'body_cut_short',
  status: 400,
  text: 'the body ended before it was complete',
}) {}

export class InvalidJson extends serviceError({
  code: 'invalid_json',
  status: 400,
  text: (body: string, at: number) => {
    const lines = body.slice(0, at).split('\n');
    const place = `line ${lines.length} column ${lines.at(-1)!.length + 1}`;
    const fault = at === body.length ? ': it ends too early, at' : ' at';
    return `the body is not valid JSON${fault} position ${at} (${place})`;
  },
}) {}

/** Rejects a name that stands twice in an object, whose first value would be dropped. */
export class NameRepeated extends serviceError({
  code: 'name_repeated',
  status: 400,
  text: (path: readonly (string | number)[]) => {
    const parts = path.map((part) =>
      typeof part === 'number' ? `[${part}]` : `.${part.slice(0, 100)}`,
    );
    return `${parts.join('').slice(1)} is given twice`;
  },
  pointers: (path) => [path.map((part) => `/${part}`).join('')],
}) {}

/** Rejects what is not UTF-8 (RFC 8259 section 8.1): replacement characters would be stored. */
export class NotUtf8 extends serviceError({
  code: 'invalid_characters',
  status: 400,
  text: 'the body is not valid UTF-8, which JSON must be sent in',
}) {}

export class NotJson extends serviceError({
  code: 'content_type_not_json',
  status: 400,
  text: 'the body must be JSON and no form, with the header Content-Type: application/json: see GET /api/v1/openapi.json',
}) {}

export class UnsupportedCharset extends serviceError({
  code: 'unsupported_charset',
  status: 415,
  text: 'the charset of the Content-Type must be utf-8',
}) {}

export class UnsupportedEncoding extends serviceError({
  code: 'unsupported_content_encoding',
  status: 415,
  text: (allowed: string) => `the Content-Encoding must be ${allowed}`,
}) {}

export class InvalidEncoding extends serviceError({
  code: 'invalid_content_encoding',
  status: 400,
  text: 'the body cannot be decoded with the Content-Encoding that was sent',
}) {}

/** What Nest, a library or a handler of a module has thrown, with the status and text of that. */
export class RequestRejected extends ServiceError {
  constructor(status: number, text?: string) {
    const name = (STATUS_CODES[status] ?? 'bad request').toLowerCase();
    const code = name.replace(/[^a-z]+/g, '_');
    super({ code, status, text: text ?? name });
  }
}
declaredErrors.push({ code: 'bad_request', status: 400, text: 'bad request' });

/** Makes an error for clients out of what was thrown, which becomes its cause. */
export function asServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return replacementOf(thrown).causedBy(thrown);
}

function replacementOf(thrown: unknown): ServiceError {
  if (thrown instanceof HttpException)
    return new RequestRejected(thrown.getStatus(), textOf(thrown));
  // Express gives errors of the client, such as bad percent-encoding, a status.
  const { status } = Object(thrown) as { status?: unknown };
  const isOfClient = typeof status === 'number' && status >= 400 && status < 500;
  return isOfClient ? new RequestRejected(status) : new InternalError();
}

function textOf(exception: HttpException): string {
  const response = Object(exception.getResponse()) as { message?: unknown; error?: unknown };
  const { message = exception.message, error } = response;
  const text = [message].flat().join('; ');
  // A health check of @nestjs/terminus has thrown an object of all that is down.
  const isOfParts = typeof error === 'object' && error !== null;
  return isOfParts ? `${text}: ${Object.keys(error).join(', ')}` : text;
}
